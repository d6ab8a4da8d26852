package org.bloomgate.account;

import java.net.URI;
import java.net.URISyntaxException;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.net.ListenAddress;

/// The section `rebuild.webhook` of the configuration.
///
/// @param url that reports of rebuilds are posted to, https, or http on this machine; empty for none
/// @param secretEnv the environment variable that holds the key of their signature
public record WebhookOptions(String url, String secretEnv) {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");

    public static WebhookOptions none() {
        return new WebhookOptions("", "");
    }

    public boolean enabled() {
        return !url.isEmpty();
    }

    /// What does not go together, by the key at fault.
    public List<String> problems() {
        List<String> problems = new ArrayList<>();
        if (enabled() && !isAddress(url)) {
            problems.add(
                    "url must be https://HOST[:PORT]/.., or http on a loopback address, without user and fragment");
        }
        if (!secretEnv.isEmpty() && !VARIABLE.matcher(secretEnv).matches()) {
            problems.add("secretEnv names an environment variable");
        } else if (enabled() && secretEnv.isEmpty()) {
            problems.add("secretEnv must name the environment variable with the key that reports are signed with");
        }
        return problems;
    }

    /// Why nothing could be signed in this environment.
    public Optional<String> missing(Map<String, String> environment) {
        return enabled() && environment.getOrDefault(secretEnv, "").isEmpty()
                ? Optional.of("the environment variable " + secretEnv + " is not set")
                : Optional.empty();
    }

    private static boolean isAddress(String url) {
        try {
            URI uri = new URI(url);
            boolean plain = uri.getHost() != null && uri.getUserInfo() == null && uri.getFragment() == null;
            return plain && ("https".equals(uri.getScheme()) || ("http".equals(uri.getScheme()) && isHere(uri)));
        } catch (URISyntaxException malformed) {
            return false;
        }
    }

    private static boolean isHere(URI uri) {
        return new ListenAddress(uri.getHost().replaceAll("[\\[\\]]", ""), 0).loopback();
    }
}
