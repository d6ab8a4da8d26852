package org.bloomgate.content.mime;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.lang.foreign.MemorySegment;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.bloomgate.content.html.TextBuffer;
import org.bloomgate.content.links.HtmlLinks;
import org.bloomgate.content.links.KeyExtractor;
import org.bloomgate.content.links.TextLinks;
import org.bloomgate.content.links.TextPlaces;
import org.bloomgate.core.bloom.BloomFilter;
import org.bloomgate.core.bloom.BloomFilterBuilder;
import org.bloomgate.core.bloom.FilterParameters;
import org.bloomgate.core.bloom.FilterSizing;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.key.UrlExpressions;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Layer;
import org.bloomgate.lookup.tier.LayerLease;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.LookupResult;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.openjdk.jmh.annotations.AuxCounters;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// Real mail, one message an invocation: `whole` is what the gateway does with it, the others are its stages apart.
///
///     mvn -Pbench test -Djmh="MessageBenchmark -jvmArgsAppend -Dmail=FOLDER -prof gc"
///
/// Throughput is messages a second and, as `bytes`, bytes of message a second; `-bm sample -tu us` gives
/// percentiles. The mail is clean: no name in the filters occurs in it. Collector and object headers are those of a
/// gateway.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(
        value = 1,
        jvmArgsPrepend = {"-XX:+UseSerialGC", "-XX:+UseCompactObjectHeaders"})
@Warmup(iterations = 4, time = 3)
@Measurement(iterations = 5, time = 3)
public class MessageBenchmark {
    private static final int LISTED = 1_000_000;

    @State(Scope.Thread)
    @AuxCounters(AuxCounters.Type.OPERATIONS)
    public static class Size {
        public long bytes;
    }

    private final List<byte[]> messages = MailSample.messages();
    private final List<List<char[]>> html = new ArrayList<>();
    private final List<List<char[]>> text = new ArrayList<>();
    private final List<KeyBatch> batches = new ArrayList<>();
    private final MessageReader reader = new MessageReader(MessageLimits.defaults());
    private final PublicSuffixes suffixes = PublicSuffixes.bundled();
    private final TwoTierLookup lookup = new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts());
    private final LayerLease lease = new CleanLayer(filters(), suffixes);
    private final KeyBatch batch = new KeyBatch();
    private final Workspace workspace = new Workspace(new LargeBuffers());
    private final TextBuffer copy = new TextBuffer(1024);
    private int next;

    public MessageBenchmark() {
        for (byte[] message : messages) {
            html.add(MailSample.parts(message, PartKind.HTML));
            text.add(MailSample.parts(message, PartKind.TEXT));
            KeyBatch keys = new KeyBatch();
            read(message, keys);
            batches.add(keys);
        }
    }

    private int next(Size size) {
        next = next + 1 == messages.size() ? 0 : next + 1;
        size.bytes += messages.get(next).length;
        return next;
    }

    @Benchmark
    public LookupResult whole(Size size) {
        batch.clear();
        read(messages.get(next(size)), batch);
        return lookup.evaluate(batch, lease);
    }

    private void read(byte[] message, KeyBatch into) {
        try {
            reader.read(new ByteArrayInputStream(message), suffixes, lease.kinds(), into, reader.createAllowance());
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Structure and transfer encodings alone.
    @Benchmark
    public int mime(Size size) throws IOException, MimeException {
        Allowance allowance = allowance();
        MimeTokenStream tokens = new MimeTokenStream(
                MimeConfig.PERMISSIVE, null, new BoundedFieldBuilder(allowance, false), new PartHeaderBuilder());
        tokens.parse(new ByteArrayInputStream(messages.get(next(size))));
        int bytes = 0;
        for (EntityState state = tokens.getState(); state != EntityState.T_END_OF_STREAM; state = tokens.next()) {
            if (state == EntityState.T_BODY) {
                InputStream content = tokens.getDecodedInputStream();
                workspace.clear();
                workspace.readUpTo(content, Integer.MAX_VALUE - 8, allowance, Limit.PART_TEXT_BYTES);
                bytes += workspace.length();
            }
        }
        return bytes;
    }

    /// HTML to keys.
    @Benchmark
    public int html(Size size) {
        batch.clear();
        KeyExtractor keys = new KeyExtractor(suffixes, lease.kinds(), batch, allowance());
        for (char[] part : html.get(next(size))) {
            new HtmlLinks(keys, new TextLinks(keys), workspace.joined(), Place.SCRIPT).read(part, 0, part.length);
        }
        return batch.size();
    }

    /// Plain text to keys.
    @Benchmark
    public int text(Size size) {
        batch.clear();
        KeyExtractor keys = new KeyExtractor(suffixes, lease.kinds(), batch, allowance());
        for (char[] part : text.get(next(size))) {
            copy.clear();
            copy.append(part, 0, part.length);
            new TextLinks(keys).read(copy, TextPlaces.SHOWN);
        }
        return batch.size();
    }

    /// The URLs of a message to canonical form and keys.
    @Benchmark
    public int canonicalForm(Size size) {
        batch.clear();
        for (Identifier found : batches.get(next(size)).identifiers()) {
            if (found.kind() == KeyKind.URL) {
                batch.begin(found);
                CanonicalUrl.parse(found.value()).ifPresent(url -> UrlExpressions.append(url, suffixes, batch));
            }
        }
        return batch.size();
    }

    /// Its keys hashed and looked up in filters of a million each.
    @Benchmark
    public void hashAndProbe(Size size, Blackhole sink) {
        sink.consume(lookup.evaluate(batches.get(next(size)), lease));
    }

    private static Allowance allowance() {
        return new Allowance(MessageLimits.defaults());
    }

    private static Map<KeyKind, BloomFilter> filters() {
        Map<KeyKind, BloomFilter> filters = new EnumMap<>(KeyKind.class);
        for (KeyKind kind : List.of(KeyKind.ADDRESS, KeyKind.DOMAIN, KeyKind.URL)) {
            FilterParameters parameters =
                    new FilterParameters(kind.wireCode(), 1, 1, FilterSizing.of(LISTED, 1e-9), Instant.EPOCH);
            MemorySegment file = MemorySegment.ofArray(new byte[Math.toIntExact(parameters.fileBytes())]);
            BloomFilterBuilder builder = new BloomFilterBuilder(file, parameters);
            for (int i = 0; i < LISTED; i++) {
                byte[] key = ("listed" + i + ".invalid").getBytes(StandardCharsets.US_ASCII);
                builder.add(key, 0, key.length);
            }
            filters.put(kind, builder.finish());
        }
        return filters;
    }

    /// One layer that lists nothing.
    private record CleanLayer(List<Layer> layers, PublicSuffixes suffixes) implements LayerLease {
        CleanLayer(Map<KeyKind, BloomFilter> filters, PublicSuffixes suffixes) {
            this(List.of(new Layer("bench", "1", Instant.EPOCH, filters, Map.of(), new NothingListed())), suffixes);
        }

        @Override
        public void close() {}
    }

    private static final class NothingListed implements ExactLookup {
        @Override
        public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
            return Collections.nCopies(keys.size(), new ExactAnswer.NotListed());
        }

        @Override
        public void close() {}
    }
}
