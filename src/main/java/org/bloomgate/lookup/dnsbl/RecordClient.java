package org.bloomgate.lookup.dnsbl;

import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import org.xbill.DNS.CNAMERecord;
import org.xbill.DNS.Flags;
import org.xbill.DNS.Message;
import org.xbill.DNS.Name;
import org.xbill.DNS.Rcode;
import org.xbill.DNS.Record;
import org.xbill.DNS.Section;

/// Queries the configured resolvers for records of any type, which unlike those of a DNS list may be behind aliases.
/// Thread-safe.
public final class RecordClient {
    /// Aliases followed within one response.
    private static final int MAX_ALIASES = 8;

    private final ResolverClient resolvers;

    public RecordClient(DnsOptions options) {
        resolvers = new ResolverClient(ResolverAddress.of(options.resolvers()), options.timeout());
    }

    /// A response as it is to be used.
    public sealed interface Reply {
        /// At least one record of the type.
        ///
        /// @param seconds that they may be kept
        record Found(List<Record> records, long seconds) implements Reply {
            public Found {
                records = List.copyOf(records);
            }
        }

        /// No such name, or no record of the type.
        record None() implements Reply {}

        /// @param reason in one line
        /// @param silent whether no resolver answered in time
        record Failed(String reason, boolean silent) implements Reply {}
    }

    /// The records, later; never exceptionally.
    ///
    /// @param name without a final dot; what cannot be a name has no records
    /// @param type of [org.xbill.DNS.Type]
    public CompletableFuture<Reply> query(String name, int type) {
        Optional<Record> question = ResolverClient.question(name, type);
        return question.isEmpty()
                ? CompletableFuture.completedFuture(new Reply.None())
                : resolvers.query(
                        question.get(),
                        response -> read(response, question.get()),
                        reason -> new Reply.Failed(reason, reason.equals(ResolverClient.SILENT)),
                        Reply.Failed.class::isInstance);
    }

    private static Reply read(Message response, Record question) {
        if (!response.getHeader().getFlag(Flags.QR)
                || !response.getSection(Section.QUESTION).equals(List.of(question))) {
            return new Reply.Failed("response to another question", false);
        }
        return switch (response.getRcode()) {
            case Rcode.NOERROR -> records(response.getSection(Section.ANSWER), question);
            case Rcode.NXDOMAIN -> new Reply.None();
            default -> new Reply.Failed(Rcode.string(response.getRcode()), false);
        };
    }

    private static Reply records(List<Record> answers, Record question) {
        Name name = question.getName();
        long seconds = Long.MAX_VALUE;
        for (int i = 0; i <= MAX_ALIASES; i++) {
            List<Record> found = new ArrayList<>();
            Optional<CNAMERecord> alias = Optional.empty();
            for (Record record : answers) {
                if (record.getName().equals(name) && record.getType() == question.getType()) {
                    found.add(record);
                    seconds = Math.min(seconds, record.getTTL());
                } else if (record.getName().equals(name) && record instanceof CNAMERecord cname) {
                    alias = Optional.of(cname);
                    seconds = Math.min(seconds, record.getTTL());
                }
            }
            if (!found.isEmpty()) {
                return new Reply.Found(found, seconds);
            }
            if (alias.isEmpty()) {
                return new Reply.None();
            }
            name = alias.get().getTarget();
        }
        return new Reply.Failed("more than " + MAX_ALIASES + " aliases", false);
    }
}
