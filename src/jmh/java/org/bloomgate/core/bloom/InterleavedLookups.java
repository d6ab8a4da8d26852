package org.bloomgate.core.bloom;

import com.sun.management.ThreadMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.lang.reflect.Constructor;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CyclicBarrier;
import java.util.function.ToLongFunction;

/// Nanoseconds a lookup of an absent key, contenders beside each other in one process: they take turns slice by
/// slice, so that a noisy machine is as noisy for each, and each has a class loader of its own, so that none spoils
/// the profile that another is compiled by. JMH runs one benchmark after the other and cannot do that. Each turn
/// begins with a slice that is not timed and brings back to the caches what the contender before drove out. Keys are
/// read once before they are timed, as who asks for them has just made them: a slice takes a megabyte, and to fetch
/// its keys from behind the caches took 56 ns each, more than a batched lookup.
///
/// Arguments: keys, slices, then contenders as `Guava@1e-2`, the first being what the others are compared with. The
/// property `threads` asks on several threads at once.
public final class InterleavedLookups {
    private static final int SLICE = 4096;

    /// A use of what was read, without which it would not be.
    private static long bytesRead;

    private InterleavedLookups() {}

    private record Contender(String name, ToLongFunction<Object[]> lookup, double[] nanos, long[] bytes) {}

    public static void main(String[] arguments) throws Exception {
        long keys = Long.parseLong(arguments[0]);
        int slices = Integer.parseInt(arguments[1]);
        int threads = Integer.getInteger("threads", 1);
        List<Contender> contenders = new ArrayList<>();
        for (String spec : Arrays.asList(arguments).subList(2, arguments.length)) {
            String[] parts = spec.split("@");
            contenders.add(new Contender(
                    spec, load(parts[0], keys, Double.parseDouble(parts[1])), new double[slices], new long[1]));
        }
        SplittableRandom random = new SplittableRandom(99);
        for (int i = 0; i < slices; i++) {
            for (int turn = 0; turn < contenders.size(); turn++) {
                Contender next = contenders.get((i + turn) % contenders.size());
                next.nanos()[i] = threads == 1 ? ask(next, random) : askAtOnce(next, random, threads);
            }
        }
        print(keys, threads, contenders);
    }

    @SuppressWarnings("unchecked")
    static ToLongFunction<Object[]> load(String name, long keys, double rate) throws Exception {
        List<URL> path = new ArrayList<>();
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            path.add(Path.of(entry).toUri().toURL());
        }
        ClassLoader own = new URLClassLoader(path.toArray(URL[]::new), ClassLoader.getPlatformClassLoader());
        Constructor<?> constructor = own.loadClass("org.bloomgate.core.bloom.Contenders$" + name)
                .getDeclaredConstructor(long.class, double.class);
        constructor.setAccessible(true);
        return (ToLongFunction<Object[]>) constructor.newInstance(keys, rate);
    }

    private static double ask(Contender contender, SplittableRandom random) {
        Object[] slice = Contenders.slice(random, SLICE);
        contender.lookup().applyAsLong(Contenders.slice(random, SLICE));
        bytesRead += Contenders.read(slice);
        ThreadMXBean memory = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long allocated = memory.getCurrentThreadAllocatedBytes();
        long start = System.nanoTime();
        contender.lookup().applyAsLong(slice);
        long end = System.nanoTime();
        contender.bytes()[0] = memory.getCurrentThreadAllocatedBytes() - allocated;
        return (end - start) / (double) SLICE;
    }

    /// Eight slices for each thread; the time is that of the slowest, over all lookups.
    private static double askAtOnce(Contender contender, SplittableRandom random, int threads) throws Exception {
        CyclicBarrier start = new CyclicBarrier(threads);
        long[] nanos = new long[threads];
        List<Thread> running = new ArrayList<>();
        for (int t = 0; t < threads; t++) {
            int number = t;
            List<Object[]> slices = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                slices.add(Contenders.slice(random, SLICE));
            }
            running.add(Thread.ofPlatform().start(() -> {
                try {
                    start.await();
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
                long from = System.nanoTime();
                slices.forEach(contender.lookup()::applyAsLong);
                nanos[number] = System.nanoTime() - from;
            }));
        }
        for (Thread thread : running) {
            thread.join();
        }
        return Arrays.stream(nanos).max().orElseThrow() / (8.0 * SLICE * threads);
    }

    private static void print(long keys, int threads, List<Contender> contenders) {
        System.out.printf(
                "%,d keys, %d thread(s), ns a lookup: 25th percentile, median; bytes allocated%n", keys, threads);
        double reference = percentile(contenders.getFirst(), 0.25);
        for (Contender one : contenders) {
            double p25 = percentile(one, 0.25);
            System.out.printf(
                    "  %-26s %7.1f %7.1f %6.1f   %.3f of %s%n",
                    one.name(),
                    p25,
                    percentile(one, 0.5),
                    one.bytes()[0] / (double) SLICE,
                    p25 / reference,
                    contenders.getFirst().name());
        }
    }

    /// The first fifth of the slices warms up.
    private static double percentile(Contender contender, double share) {
        double[] warm = Arrays.copyOfRange(contender.nanos(), contender.nanos().length / 5, contender.nanos().length);
        Arrays.sort(warm);
        return warm[(int) (warm.length * share)];
    }
}
