package org.bloomgate.http;

import java.util.List;

/// What may be sent to a resource.
///
/// @param method `GET` (which takes `HEAD` as well), `POST`, or `*` for every one
/// @param mediaTypes of the body, the one to recommend first; none for a resource without a body
/// @param maxBodyBytes bound of the body
record Route(String method, String path, List<String> mediaTypes, long maxBodyBytes) {

    static Route get(String path) {
        return new Route("GET", path, List.of(), 0);
    }

    static Route post(String path, List<String> mediaTypes, long maxBodyBytes) {
        return new Route("POST", path, mediaTypes, maxBodyBytes);
    }

    boolean takes(String asked) {
        String answeredAs = asked.equals("HEAD") ? "GET" : asked;
        return method.equals("*") || method.equals(answeredAs);
    }

    /// The value of an `Allow` field.
    String allowed() {
        return method.equals("GET") ? "GET, HEAD" : method;
    }
}
