package org.bloomgate.server.api;

import io.helidon.webserver.WebServer;
import java.util.Arrays;

/// The server that ours is measured beside: reads the body, asks nobody, answers bytes that are always the same.
/// `src/acceptance/test_passwords.py` starts it.
public final class EmptyHandler {
    private EmptyHandler() {}

    /// @param args bytes of the answer
    public static void main(String[] args) {
        byte[] answer = new byte[Integer.parseInt(args[0])];
        Arrays.fill(answer, (byte) 'x');
        WebServer server = WebServer.builder()
                .host("127.0.0.1")
                .port(0)
                .connectionOptions(socket -> socket.tcpNoDelay(true))
                .routing(routing -> routing.any((request, response) -> {
                    if (request.content().hasEntity()) {
                        request.content().as(byte[].class);
                    }
                    response.send(answer);
                }))
                .build()
                .start();
        System.out.println(server.port());
    }
}
