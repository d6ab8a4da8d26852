package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.ClientIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A next hop that is one or several SMTP or LMTP servers. Thread-safe.
///
/// Its capabilities are those of the last connection; before the first one it is taken to have all.
public final class SmtpNextHop implements NextHop {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpNextHop.class);
    private static final Duration ASKED_AGAIN = Duration.ofSeconds(5);

    private final ReadWatch watch = new ReadWatch("next-hop-reads");
    private final NextHopConnector connector;
    private final NextHopPool pool;
    private final NextHopOptions options;
    private final Chunking chunking;
    private final MixedReplies mixed = new MixedReplies(System::nanoTime);
    /// The last connection error; it is logged once.
    private String complaint = "";

    /// @throws IOException when the CA file cannot be used
    public SmtpNextHop(NextHopAddress.Servers servers, NextHopOptions options) throws IOException {
        this(servers, options, Chunking.HEARD_WITHIN);
    }

    /// @param heardWithin of the last reply before a message goes by BDAT
    SmtpNextHop(NextHopAddress.Servers servers, NextHopOptions options, Duration heardWithin) throws IOException {
        this.connector = new NextHopConnector(servers, options, watch);
        this.pool = new NextHopPool(connector, options);
        this.options = options;
        this.chunking = new Chunking(options.chunking(), heardWithin);
    }

    /// Connects in the background, so that its capabilities are known before the first mail; the connection waits in
    /// the pool for that. Tries every 5 s until it is answered; messages do not wait for this.
    void askInBackground() {
        BackgroundTask _ = BackgroundTask.startVirtual("next-hop-ask", () -> {
            while (!queried() && !pool.closed()) {
                Thread.sleep(ASKED_AGAIN);
            }
        });
    }

    private boolean queried() {
        try {
            pool.giveBack(pool.take());
            LOG.info("next hop offers {}", connector.capabilities().text());
            return true;
        } catch (NextHopFault unanswered) {
            if (!pool.closed() && !unanswered.detail().equals(complaint)) {
                LOG.warn("{}; asking again until it answers", unanswered.detail());
            }
            complaint = unanswered.detail();
            return false;
        }
    }

    @Override
    public Capabilities capabilities() {
        return connector.capabilities();
    }

    @Override
    public List<String> announcement() {
        return List.of(
                LoopMarks.KEYWORD + " " + String.join(" ", connector.marks().announced()));
    }

    @Override
    public NextHopTransaction begin(ClientIdentity client) {
        return new SmtpNextHopTransaction(pool, client, options, chunking, mixed);
    }

    @Override
    public int places() {
        return options.poolSize();
    }

    @Override
    public NextHop.Use use() {
        return pool.use();
    }

    @Override
    public void close() {
        pool.close();
        watch.close();
    }
}
