package org.bloomgate.server.smtp;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.charset.StandardCharsets;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.subethamail.smtp.internal.proxy.ProxyHandler;
import org.subethamail.smtp.internal.server.ServerThread;
import org.subethamail.smtp.server.SMTPServer;
import org.subethamail.smtp.server.Session;
import org.subethamail.smtp.server.SessionHandler;

/// What the relay relies on inside SubEthaSMTP. A new version that changes it has to be read before it is used.
class LibrarySurfaceTest {
    private static final String INTERNALS = "org.subethamail.smtp.internal.";

    @Test
    void oneClassNamesTheInternals() {
        Set<String> uses = new TreeSet<>();
        for (JavaClass type : new ClassFileImporter()
                .withImportOption(ImportOption.Predefined.DO_NOT_INCLUDE_TESTS)
                .importPackages("org.bloomgate")) {
            type.getDirectDependenciesFromSelf().stream()
                    .filter(to -> to.getTargetClass().getName().startsWith(INTERNALS))
                    .forEach(to -> uses.add(type.getSimpleName() + " uses "
                            + to.getTargetClass().getSimpleName()));
        }
        assertEquals(Set.of("Listener uses ProxyHandler", "Listener uses ServerThread"), uses);
    }

    @Test
    void aSessionThatHasQuitIsNeitherGreetedNorRead() throws Exception {
        OneClient client = serve(new SessionHandler() {
            @Override
            public SessionAcceptance accept(Session session) {
                session.quit();
                return SessionAcceptance.success();
            }

            @Override
            public void onSessionEnd(Session session) {
                // nothing to give back
            }
        });
        assertEquals("", client.lastSeen());
        assertEquals(0, client.reads.get());
        assertTrue(client.isClosed());
    }

    @Test
    void aRefusalIsWrittenToTheSocketAndNothingIsRead() throws Exception {
        OneClient client = serve(new SessionHandler() {
            @Override
            public SessionAcceptance accept(Session session) {
                return SessionAcceptance.failure(421, "4.3.2 Too many sessions");
            }

            @Override
            public void onSessionEnd(Session session) {
                // nothing to give back
            }
        });
        assertEquals("421 4.3.2 Too many sessions\r\n", client.lastSeen());
        assertEquals(0, client.reads.get());
        assertTrue(client.isClosed());
    }

    /// What the accept loop with one client comes to, on a virtual thread.
    private static OneClient serve(SessionHandler handler) throws Exception {
        OneClient client = new OneClient();
        SMTPServer server = SMTPServer.port(0).sessionHandler(handler).build();
        ServerThread acceptor = new ServerThread(server, new OneConnection(client), ProxyHandler.NOP);
        Thread accepting = Thread.ofVirtual().start(acceptor);
        try {
            assertTrue(client.closed.await(30, TimeUnit.SECONDS));
        } finally {
            acceptor.shutdown();
        }
        accepting.join();
        return client;
    }

    /// Listens nowhere.
    private static final class OneConnection extends ServerSocket {
        private final CountDownLatch ended = new CountDownLatch(1);
        private final Socket only;
        private boolean given;

        OneConnection(Socket only) throws IOException {
            this.only = only;
        }

        @Override
        public Socket accept() throws IOException {
            if (!given) {
                given = true;
                return only;
            }
            try {
                ended.await();
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
            }
            throw new SocketException("closed");
        }

        @Override
        public void close() throws IOException {
            ended.countDown();
            super.close();
        }
    }

    private static final class OneClient extends Socket {
        private final ByteArrayOutputStream lastSeen = new ByteArrayOutputStream();
        private final CountDownLatch closed = new CountDownLatch(1);
        private final AtomicInteger reads = new AtomicInteger();

        String lastSeen() {
            return lastSeen.toString(StandardCharsets.US_ASCII);
        }

        @Override
        public InputStream getInputStream() {
            return new InputStream() {
                @Override
                public int read() {
                    reads.incrementAndGet();
                    return -1;
                }

                @Override
                public int read(byte[] bytes, int offset, int length) {
                    return read();
                }
            };
        }

        @Override
        public OutputStream getOutputStream() {
            return lastSeen;
        }

        @Override
        public void setSoTimeout(int millis) {}

        @Override
        public boolean isBound() {
            return true;
        }

        @Override
        public boolean isClosed() {
            return closed.getCount() == 0;
        }

        @Override
        public InetAddress getInetAddress() {
            return InetAddress.getLoopbackAddress();
        }

        @Override
        public SocketAddress getRemoteSocketAddress() {
            return new InetSocketAddress(getInetAddress(), 25);
        }

        @Override
        public void close() {
            closed.countDown();
        }
    }
}
