package org.bloomgate.core.key;

import java.util.List;
import java.util.concurrent.TimeUnit;
import org.bloomgate.core.url.CanonicalUrl;
import org.bloomgate.core.url.LinkUnwrapping;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// URLs a second: the canonical form alone, with its keys, and with what is wrapped inside.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class CanonicalUrlBenchmark {
    /// As mail has them: most plain, some with a query, few disguised.
    private static final List<String> LINKS = List.of(
            "http://www.shop.example/",
            "https://www.shop.example/images/logo-header_600x120.png",
            "https://click.news.example/f/a/Zx8Qm2Lr0vK1aUe~~/AAQRxQA~/RgRnT3pZP0Q2aHR0cHM",
            "http://lists.project.example/mailman/listinfo/users",
            "https://accounts.bank.example/login?continue=%2Fhome&lang=en",
            "https://track.esp.example/open?u=4f2b1c&id=9d8e7a6b5c&e=1700000000",
            "http://192.0.2.17/admin/index.php",
            "https://sub.domain.of.host.example/a/b/c/d/e.html",
            "HTTP://User@WWW.Mixed.Example:8080/Path/../Other/%41%42",
            "https://r.example/?url=https%3A%2F%2Ftarget.example%2Fx");

    private static final int COUNT = 10;

    private final PublicSuffixes suffixes = PublicSuffixes.bundled();
    private final KeyBatch batch = new KeyBatch();

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void canonicalForm(Blackhole sink) {
        for (String link : LINKS) {
            sink.consume(CanonicalUrl.parse(link));
        }
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public int canonicalFormAndKeys() {
        batch.clear();
        for (String link : LINKS) {
            CanonicalUrl url = CanonicalUrl.parse(link).orElseThrow();
            batch.begin(new Identifier(KeyKind.URL, url.text(), Place.LINK, "link"));
            UrlExpressions.append(url, suffixes, batch);
        }
        return batch.size();
    }

    @Benchmark
    @OperationsPerInvocation(COUNT)
    public void unwrapping(Blackhole sink) {
        for (String link : LINKS) {
            sink.consume(LinkUnwrapping.targets(link));
        }
    }
}
