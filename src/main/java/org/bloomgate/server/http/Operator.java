package org.bloomgate.server.http;

import java.util.regex.Pattern;

/// An entry of `http.operators`.
///
/// @param token of at least 16 characters, or `sha256:` and its digest
/// @param checksPerSecond quota of the token, which replaces the limit of the client's address; 0 for no quota
public record Operator(Role role, String token, int checksPerSecond) {
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9][A-Za-z0-9._-]{0,63}");

    public static Operator defaults() {
        return new Operator(Role.NONE, "", 0);
    }

    /// @throws IllegalArgumentException if it is not a valid name of an operator
    public static void requireName(String name) {
        if (!NAME.matcher(name).matches() || name.equals(Tokens.ADMIN)) {
            throw new IllegalArgumentException("a name is 1 to 64 of A-Z a-z 0-9 . _ -, and not " + Tokens.ADMIN);
        }
    }
}
