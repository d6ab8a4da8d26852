package org.bloomgate.server.nexthop;

import java.io.IOException;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import org.bloomgate.base.concurrent.BackgroundTask;
import org.bloomgate.core.smtp.Capabilities;
import org.bloomgate.core.smtp.ClientIdentity;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/// A next hop that is one or several SMTP or LMTP servers. Thread-safe.
///
/// Its capabilities are those of the last connection; before the first one, all are assumed.
public final class SmtpNextHop implements NextHop {
    private static final Logger LOG = LoggerFactory.getLogger(SmtpNextHop.class);
    private static final Duration RETRY_AFTER = Duration.ofSeconds(5);

    private final ReadWatch watch = new ReadWatch("next-hop-reads");
    private final NextHopConnector connector;
    private final NextHopPool pool;
    private final NextHopOptions options;
    private final Chunking chunking;
    private final MixedReplies mixed = new MixedReplies(System::nanoTime);
    private final RecentReplies replies = new RecentReplies(InstantSource.system());
    /// The detail of the last fault of [#connected()], which is logged once.
    private String lastFault = "";

    /// @throws IOException when the CA file cannot be used
    public SmtpNextHop(NextHopAddress.Servers servers, NextHopOptions options) throws IOException {
        this(servers, options, Chunking.RECENT);
    }

    /// @param recent the longest time since the last reply with which a message is sent by BDAT
    SmtpNextHop(NextHopAddress.Servers servers, NextHopOptions options, Duration recent) throws IOException {
        this.connector = new NextHopConnector(servers, options, watch);
        this.pool = new NextHopPool(connector, options);
        this.options = options;
        this.chunking = new Chunking(options.chunking(), recent);
    }

    /// Connects in the background, so that the capabilities are known before the first message, for which the
    /// connection waits in the pool. Tries every 5 s until it succeeds; messages do not wait for it.
    void connectInBackground() {
        BackgroundTask _ = BackgroundTask.startVirtual("next-hop-connect", () -> {
            while (!connected() && !pool.closed()) {
                Thread.sleep(RETRY_AFTER);
            }
        });
    }

    private boolean connected() {
        try {
            pool.giveBack(pool.take());
            LOG.info("next hop offers {}", connector.capabilities().text());
            replies.clear();
            return true;
        } catch (NextHopFault e) {
            if (!pool.closed() && !e.detail().equals(lastFault)) {
                LOG.warn("{} (retrying until it succeeds)", e.detail());
            }
            lastFault = e.detail();
            replies.add(e.reply());
            return false;
        }
    }

    @Override
    public Capabilities capabilities() {
        return connector.capabilities();
    }

    @Override
    public List<String> ehloLines() {
        return List.of(
                LoopMarks.KEYWORD + " " + String.join(" ", connector.marks().marksToSend()));
    }

    @Override
    public NextHopTransaction begin(ClientIdentity client) {
        return new SmtpNextHopTransaction(pool, client, options, chunking, mixed, replies);
    }

    @Override
    public int maxTransactions() {
        return options.poolSize();
    }

    @Override
    public NextHop.Usage usage() {
        return pool.usage();
    }

    @Override
    public Optional<NextHop.Refusals> refusals() {
        return replies.refusals();
    }

    @Override
    public void close() {
        pool.close();
        watch.close();
    }
}
