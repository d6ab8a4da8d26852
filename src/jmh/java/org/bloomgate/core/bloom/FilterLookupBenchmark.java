package org.bloomgate.core.bloom;

import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import java.util.function.ToLongFunction;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Lookups of absent keys in each of the contenders, one after the other. For ratios use [InterleavedLookups], which
/// asks them in turn.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(value = 1, jvmArgsAppend = "-Xmx4g")
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class FilterLookupBenchmark {
    private static final int SLICE = 4096;
    private static final int SLICES = 64;

    @Param({"1000000", "10000000", "100000000"})
    private long keys;

    @Param({
        "Guava",
        "DataSketches",
        "Spark",
        "Classic",
        "TwoLine",
        "TwoLineOfBytes",
        "TwoLineInBatches",
        "TwoLineOfBytesInBatches",
        "LineFuseOfBytes",
        "LineFuseOfBytesInBatches",
        "HashTable",
        "DependentLines",
        "IndependentLines"
    })
    private String contender;

    private final Object[][] slices = new Object[SLICES][];
    private ToLongFunction<Object[]> lookup = slice -> 0;
    private int next;

    @Setup(Level.Trial)
    public void fill() throws Exception {
        SplittableRandom random = new SplittableRandom(99);
        for (int i = 0; i < SLICES; i++) {
            slices[i] = Contenders.slice(random, SLICE);
        }
        lookup = InterleavedLookups.load(contender, keys, 1e-2);
    }

    @Benchmark
    @OperationsPerInvocation(SLICE)
    public long absentKeys() {
        return lookup.applyAsLong(slices[next++ % SLICES]);
    }
}
