package org.bloomgate.server.http;

import java.util.List;
import java.util.Optional;
import java.util.Set;

/// A row of the table of routes: the requests that a resource accepts, and the resource.
///
/// @param methods that it accepts; empty for every method
/// @param path with parameter names in braces
/// @param parameters allowed in the query; another one is rejected, as ignoring it would hide a mistake of the
///     client. Empty to accept any query
public record Route(
        List<String> methods,
        String path,
        Access access,
        Body body,
        Optional<Set<String>> parameters,
        Resource resource) {
    public Route {
        methods = List.copyOf(methods);
        parameters = parameters.map(Set::copyOf);
    }

    /// The callers whose requests are answered.
    ///
    /// @param read requirement of `GET` and `HEAD`
    /// @param write requirement of other methods
    /// @param rateLimited whether `http.checksPerSecond` bounds the requests
    public record Access(Requirement read, Requirement write, boolean rateLimited) {}

    /// The body of a `POST`.
    ///
    /// @param mediaTypes the recommended one first; empty for a route without a body
    public record Body(List<String> mediaTypes, long maxBytes) {
        public Body {
            mediaTypes = List.copyOf(mediaTypes);
        }

        static Body none() {
            return new Body(List.of(), 0);
        }

        public static Body json(long maxBytes) {
            return new Body(List.of(Resource.JSON), maxBytes);
        }
    }

    /// A route of several methods that accepts any query.
    public static Route of(List<String> methods, String path, Requirement requirement, Body body, Resource resource) {
        Access access = new Access(requirement, requirement, false);
        return new Route(methods, path, access, body, Optional.empty(), resource);
    }

    public static Route get(String path, Requirement requirement, Resource resource) {
        return of(List.of("GET", "HEAD"), path, requirement, Body.none(), resource);
    }

    /// A route for pages of any origin, for which browsers send `OPTIONS` first.
    public static Route getAcrossOrigins(String path, Requirement requirement, Resource resource) {
        return of(List.of("GET", "HEAD", "OPTIONS"), path, requirement, Body.none(), resource);
    }

    public static Route post(String path, Requirement requirement, Body body, Resource resource) {
        return of(List.of("POST"), path, requirement, body, resource);
    }

    /// The same route with another requirement for methods that change something.
    public Route writtenBy(Requirement requirement) {
        return withAccess(new Access(access.read(), requirement, access.rateLimited()));
    }

    /// The same route, whose requests `http.checksPerSecond` bounds.
    public Route rateLimited() {
        return withAccess(new Access(access.read(), access.write(), true));
    }

    private Route withAccess(Access next) {
        return new Route(methods, path, next, body, parameters, resource);
    }

    /// The same route that accepts these query parameters and no other ones.
    public Route with(String... names) {
        return with(Set.of(names));
    }

    /// The same for a set of names.
    public Route with(Set<String> names) {
        return new Route(methods, path, access, body, Optional.of(names), resource);
    }

    /// The requirement for requests with this method. The preflight of a browser has no token.
    public Requirement requirement(String method) {
        return switch (method) {
            case "OPTIONS" -> Role.NONE;
            case "GET", "HEAD" -> access.read();
            default -> access.write();
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
