package org.bloomgate.keycloak;

import java.net.URI;
import java.net.http.HttpClient;
import java.time.Duration;
import org.keycloak.Config;
import org.keycloak.models.KeycloakSession;
import org.keycloak.models.KeycloakSessionFactory;
import org.keycloak.policy.PasswordPolicyProvider;
import org.keycloak.policy.PasswordPolicyProviderFactory;

/** The policy "bloomgate" of realms, with the options --spi-password-policy--bloomgate--url and ..--token of the server. */
public final class ListedPasswordPolicyFactory implements PasswordPolicyProviderFactory {
    private final HttpClient client =
            HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build();
    private URI url = URI.create("http://127.0.0.1:8080");
    private String token = "";

    @Override
    public void init(Config.Scope config) {
        url = URI.create(config.get("url", url.toString()));
        token = config.get("token", token);
    }

    @Override
    public PasswordPolicyProvider create(KeycloakSession session) {
        return new ListedPasswordPolicy(client, url, token, session.getContext());
    }

    @Override
    public String getId() {
        return ListedPasswordPolicy.ID;
    }

    @Override
    public String getDisplayName() {
        return "Not listed by Bloomgate";
    }

    @Override
    public String getConfigType() {
        return PasswordPolicyProvider.STRING_CONFIG_TYPE;
    }

    @Override
    public String getDefaultConfigValue() {
        return ListedPasswordPolicy.CLOSED;
    }

    @Override
    public boolean isMultiplSupported() {
        return false;
    }

    @Override
    public void postInit(KeycloakSessionFactory factory) {
        // needs nothing of other providers
    }

    @Override
    public void close() {
        // the client has no resources of its own to release before Java 21
    }
}
