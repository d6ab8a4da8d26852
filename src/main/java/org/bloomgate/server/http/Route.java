package org.bloomgate.server.http;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The requests that a resource accepts.
///
/// @param methods that it takes; none: every one
/// @param path with the names of its parameters in braces
/// @param read requirement of `GET` and `HEAD`
/// @param write requirement of other methods
/// @param mediaTypes of the body of a `POST`, the one to recommend first; none for a resource without a body
/// @param maxBodyBytes bound of the body
/// @param parameters that the query may have; another one is refused, as who sends it means something by it
public record Route(
        List<String> methods,
        String path,
        Requirement read,
        Requirement write,
        List<String> mediaTypes,
        long maxBodyBytes,
        Optional<Set<String>> parameters) {
    public Route {
        methods = List.copyOf(methods);
        mediaTypes = List.copyOf(mediaTypes);
        parameters = parameters.map(Set::copyOf);
    }

    /// Takes any query.
    public Route(
            List<String> methods, String path, Requirement requirement, List<String> mediaTypes, long maxBodyBytes) {
        this(methods, path, requirement, requirement, mediaTypes, maxBodyBytes, Optional.empty());
    }

    /// The same, with another requirement of methods that change something.
    public Route writtenBy(Requirement requirement) {
        return new Route(methods, path, read, requirement, mediaTypes, maxBodyBytes, parameters);
    }

    /// The same, with these parameters more in its query, and no other ones.
    public Route with(String... names) {
        return with(Set.of(names));
    }

    /// The same for several names.
    public Route with(Set<String> names) {
        Set<String> all = new HashSet<>(parameters.orElse(Set.of()));
        all.addAll(names);
        return new Route(methods, path, read, write, mediaTypes, maxBodyBytes, Optional.of(all));
    }

    public static Route get(String path, Requirement requirement) {
        return new Route(List.of("GET", "HEAD"), path, requirement, List.of(), 0);
    }

    /// For pages of any origin: a browser sends `OPTIONS` first.
    public static Route getAcrossOrigins(String path, Requirement requirement) {
        return new Route(List.of("GET", "HEAD", "OPTIONS"), path, requirement, List.of(), 0);
    }

    public static Route post(String path, Requirement requirement, List<String> mediaTypes, long maxBodyBytes) {
        return new Route(List.of("POST"), path, requirement, mediaTypes, maxBodyBytes);
    }

    /// What a request with this method must meet. The preflight of a browser has no token.
    public Requirement requirement(String method) {
        return switch (method) {
            case "OPTIONS" -> Role.NONE;
            case "GET", "HEAD" -> read;
            default -> write;
        };
    }

    boolean takes(String method) {
        return methods.isEmpty() || methods.contains(method);
    }

    /// The value of an `Allow` field.
    String allowed() {
        return String.join(", ", methods);
    }
}
