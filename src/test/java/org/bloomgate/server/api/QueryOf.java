package org.bloomgate.server.api;

import java.lang.reflect.Proxy;
import java.util.Optional;
import org.bloomgate.server.http.Request;

/// Requests that have nothing but a query.
final class QueryOf {
    private QueryOf() {}

    static Request parameter(String name, String value) {
        return (Request) Proxy.newProxyInstance(
                Request.class.getClassLoader(), new Class<?>[] {Request.class}, (_, method, arguments) -> {
                    if (!method.getName().equals("query")) {
                        throw new UnsupportedOperationException(method.getName());
                    }
                    return Optional.of(value).filter(_ -> name.equals(arguments[0]));
                });
    }
}
