package org.bloomgate.lists.fetch;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Pattern;

/// The credentials for a feed's web server. The secret is only in the environment.
///
/// @param scheme how it is sent
/// @param env the environment variable that holds it: `user:password` for basic
/// @param header the field it is sent in, for [Scheme#HEADER]
public record FeedAuth(Scheme scheme, String env, String header) {
    private static final Pattern VARIABLE = Pattern.compile("[A-Za-z_][A-Za-z0-9_]*");
    private static final Pattern FIELD = Pattern.compile("[A-Za-z0-9-]+");

    /// The form of a secret in a request.
    public enum Scheme {
        NONE,
        /// RFC 7617.
        BASIC,
        /// RFC 6750.
        BEARER,
        /// The secret alone, in a field of its own.
        HEADER
    }

    public static FeedAuth none() {
        return new FeedAuth(Scheme.NONE, "", "");
    }

    /// One field of a request.
    record Field(String name, String value) {}

    Field field(String secret) {
        return switch (scheme) {
            case NONE -> throw new IllegalStateException("no secret is sent");
            case BASIC -> new Field("Authorization", basic(secret));
            case BEARER -> new Field("Authorization", "Bearer " + secret);
            case HEADER -> new Field(header, secret);
        };
    }

    static String basic(String userAndPassword) {
        return "Basic " + Base64.getEncoder().encodeToString(userAndPassword.getBytes(StandardCharsets.UTF_8));
    }

    List<String> problems() {
        List<String> problems = new ArrayList<>();
        boolean sendsSecret = scheme != Scheme.NONE;
        if (sendsSecret != VARIABLE.matcher(env).matches()) {
            problems.add(
                    sendsSecret
                            ? "auth: env names the environment variable that holds the secret"
                            : "auth: scheme basic, bearer or header is needed beside env");
        }
        if ((scheme == Scheme.HEADER) != FIELD.matcher(header).matches()) {
            problems.add("auth: header names the field for scheme header, and for no other");
        }
        return problems;
    }
}
