package org.bloomgate.server.http;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// The requests that a resource accepts.
///
/// @param methods that it accepts; empty for every method
/// @param path with parameter names in braces
/// @param read requirement of `GET` and `HEAD`
/// @param write requirement of other methods
/// @param mediaTypes of the body of a `POST`, the recommended one first; empty for a resource without a body
/// @param maxBodyBytes bound of the body
/// @param parameters allowed in the query; another one is rejected, as ignoring it would hide a mistake of the
///     client
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

    /// A route that accepts any query.
    public Route(
            List<String> methods, String path, Requirement requirement, List<String> mediaTypes, long maxBodyBytes) {
        this(methods, path, requirement, requirement, mediaTypes, maxBodyBytes, Optional.empty());
    }

    /// The same route with another requirement for methods that change something.
    public Route writtenBy(Requirement requirement) {
        return new Route(methods, path, read, requirement, mediaTypes, maxBodyBytes, parameters);
    }

    /// The same route that accepts these query parameters in addition, and no unknown ones.
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

    /// A route for pages of any origin, for which browsers send `OPTIONS` first.
    public static Route getAcrossOrigins(String path, Requirement requirement) {
        return new Route(List.of("GET", "HEAD", "OPTIONS"), path, requirement, List.of(), 0);
    }

    public static Route post(String path, Requirement requirement, List<String> mediaTypes, long maxBodyBytes) {
        return new Route(List.of("POST"), path, requirement, mediaTypes, maxBodyBytes);
    }

    /// The requirement for requests with this method. The preflight of a browser has no token.
    public Requirement requirement(String method) {
        return switch (method) {
            case "OPTIONS" -> Role.NONE;
            case "GET", "HEAD" -> read;
            default -> write;
        };
    }

    boolean accepts(String method) {
        return methods.isEmpty() || methods.contains(method);
    }

    /// The value of an `Allow` field.
    String allowed() {
        return String.join(", ", methods);
    }
}
