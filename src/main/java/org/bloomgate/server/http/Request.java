package org.bloomgate.server.http;

import io.helidon.http.HeaderName;
import io.helidon.http.HeaderNames;
import io.helidon.webserver.http.ServerRequest;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.audit.Actor;

/// The parts of a request that a resource may use. Used by the thread that answers it.
public interface Request {

    /// The method as sent, for example `GET`.
    String method();

    /// The part of the path with this name in the route.
    String pathParameter(String name);

    /// The first value of this name in the query; empty if there is none.
    Optional<String> query(String name);

    /// Every value of this name in the query, in order.
    List<String> queries(String name);

    /// The first value of a header field; empty if there is none.
    Optional<String> header(HeaderName name);

    /// The first value of a header field by its name, for rarely used fields.
    default Optional<String> header(String name) {
        return header(HeaderNames.create(name));
    }

    RequestBody body();

    /// The address of the client's connection; empty if it has none.
    String peer();

    Caller caller();

    /// The author of a change by this request, for the audit log.
    default Actor actor() {
        return new Actor(caller().name(), SameSite.isOwnPage(this) ? Actor.Way.PAGE : Actor.Way.HTTP, peer());
    }

    static Request of(ServerRequest request, RequestBody body, Caller caller) {
        return new Request() {
            @Override
            public String method() {
                return request.prologue().method().text();
            }

            @Override
            public String pathParameter(String name) {
                return request.path().pathParameters().get(name);
            }

            @Override
            public Optional<String> query(String name) {
                return request.query().first(name).asOptional();
            }

            @Override
            public List<String> queries(String name) {
                return request.query().contains(name) ? request.query().all(name) : List.of();
            }

            @Override
            public Optional<String> header(HeaderName name) {
                return request.headers().first(name);
            }

            @Override
            public RequestBody body() {
                return body;
            }

            @Override
            public Caller caller() {
                return caller;
            }

            @Override
            public String peer() {
                return request.remotePeer().address() instanceof InetSocketAddress peer
                        ? peer.getAddress().getHostAddress()
                        : "";
            }
        };
    }
}
