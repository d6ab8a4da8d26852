package org.bloomgate.keycloak;

import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.HexFormat;
import org.keycloak.models.KeycloakContext;
import org.keycloak.models.RealmModel;
import org.keycloak.models.UserModel;
import org.keycloak.policy.PasswordPolicyConfigException;
import org.keycloak.policy.PasswordPolicyProvider;
import org.keycloak.policy.PolicyError;

/**
 * Rejects passwords that Bloomgate lists. Only the first five digits of a digest leave the server. The mode is in the policy of
 * the realm: "closed" rejects a password that could not be looked up, "open" accepts it.
 *
 * @param url of Bloomgate
 * @param token of an operator with the role client; empty if passwords are in http.open
 * @param context of the session; its realm has no policy yet while the policy is parsed
 */
record ListedPasswordPolicy(HttpClient client, URI url, String token, KeycloakContext context) implements PasswordPolicyProvider {
    static final String ID = "bloomgate";
    static final String CLOSED = "closed";
    private static final String OPEN = "open";
    private static final int PREFIX_DIGITS = 5;
    private static final Duration TIMEOUT = Duration.ofSeconds(3);

    @Override
    public PolicyError validate(RealmModel realm, UserModel user, String password) {
        return validate(user.getUsername(), password);
    }

    @Override
    public PolicyError validate(String user, String password) {
        try {
            return isListed(digest(password)) ? new PolicyError("invalidPasswordBlacklistedMessage") : null;
        } catch (IOException e) {
            return onFailure();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            return onFailure();
        }
    }

    private PolicyError onFailure() {
        String mode = context.getRealm().getPasswordPolicy().getPolicyConfig(ID);
        return OPEN.equals(mode) ? null : new PolicyError("invalidPasswordGenericMessage");
    }

    private boolean isListed(String digest) throws IOException, InterruptedException {
        URI range = url.resolve("/range/" + digest.substring(0, PREFIX_DIGITS));
        HttpRequest.Builder request = HttpRequest.newBuilder(range).timeout(TIMEOUT).header("Add-Padding", "true");
        if (!token.isEmpty()) {
            request.header("Authorization", "Bearer " + token);
        }
        HttpResponse<String> answer = client.send(request.build(), HttpResponse.BodyHandlers.ofString());
        if (answer.statusCode() != 200) {
            throw new IOException("status " + answer.statusCode());
        }
        String entry = digest.substring(PREFIX_DIGITS) + ":";
        return answer.body().lines().anyMatch(line -> line.startsWith(entry) && !line.equals(entry + "0"));
    }

    private static String digest(String password) {
        try {
            byte[] sha1 = MessageDigest.getInstance("SHA-1").digest(password.getBytes(StandardCharsets.UTF_8));
            return HexFormat.of().withUpperCase().formatHex(sha1);
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every Java platform has SHA-1", e);
        }
    }

    @Override
    public Object parseConfig(String mode) {
        String text = mode == null || mode.isBlank() ? CLOSED : mode.strip();
        if (!text.equals(OPEN) && !text.equals(CLOSED)) {
            throw new PasswordPolicyConfigException("bloomgate: must be open or closed");
        }
        return text;
    }

    @Override
    public void close() {
        // the client belongs to the factory
    }
}
