package org.bloomgate.core.cidr;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.ByteBuffer;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Random addresses, and first addresses of ranges, in 1,000,000 IPv4 and 100,000 IPv6 ranges.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 2)
@Measurement(iterations = 5, time = 2)
public class RangeLookupBenchmark {
    private static final int ASKED = 1 << 20;
    private static final int IPV4 = 1_000_000;
    private static final int IPV6 = 100_000;

    /// Of 11.0.0.0 to 98.255.255.255.
    private static final long IPV4_FIRST = 11L << 24;

    private static final long IPV4_SPACE = 88L << 24;

    /// Of 2a00::/12, by the first half of an address.
    private static final long IPV6_FIRST = 0x2aL << 56;

    private static final long IPV6_SPACE = 1L << 52;

    private AddressRanges ranges = open(new RangeBuilder(1));
    private final byte[] randomIpv4 = new byte[ASKED * 6];
    private final byte[] listedIpv4 = new byte[ASKED * 6];
    private final byte[] randomIpv6 = new byte[ASKED * 18];

    @Setup
    public void fill() {
        SplittableRandom random = new SplittableRandom(1);
        RangeBuilder builder = new RangeBuilder(1);
        byte[] block = new byte[18];
        long[] firsts = new long[IPV4];
        for (int i = 0; i < IPV4; i++) {
            int bits = random.nextInt(24, 33);
            firsts[i] = placed(random, IPV4_FIRST, IPV4_SPACE / IPV4, i, 32 - bits);
            builder.add(block, 0, ipv4(block, 0, firsts[i], bits));
        }
        for (int i = 0; i < IPV6; i++) {
            int bits = random.nextInt(36, 65);
            long high = placed(random, IPV6_FIRST, IPV6_SPACE / IPV6, i, 64 - bits);
            builder.add(block, 0, ipv6(block, 0, high, 0, bits));
        }
        ranges = open(builder);
        for (int i = 0; i < ASKED; i++) {
            ipv4(randomIpv4, i * 6, IPV4_FIRST + random.nextLong(IPV4_SPACE), 32);
            ipv4(listedIpv4, i * 6, firsts[random.nextInt(IPV4)], 32);
            ipv6(randomIpv6, i * 18, IPV6_FIRST + random.nextLong(IPV6_SPACE), random.nextLong(), 128);
        }
    }

    /// The first address of a block in one of equal parts of a space, each at least twice a block, so that blocks
    /// ascend.
    private static long placed(SplittableRandom random, long first, long part, int number, int restBits) {
        return (first + number * part + part / 2 + random.nextLong(part / 2)) >>> restBits << restBits;
    }

    private static int ipv4(byte[] bytes, int at, long address, int bits) {
        bytes[at] = 4;
        ByteBuffer.wrap(bytes).putInt(at + 1, (int) address);
        bytes[at + 5] = (byte) bits;
        return at + 6;
    }

    private static int ipv6(byte[] bytes, int at, long high, long low, int bits) {
        bytes[at] = 6;
        ByteBuffer.wrap(bytes).putLong(at + 1, high).putLong(at + 9, low);
        bytes[at + 17] = (byte) bits;
        return at + 18;
    }

    private static AddressRanges open(RangeBuilder builder) {
        MemorySegment file = Arena.ofAuto().allocate(builder.fileBytes(), 4096);
        builder.writeTo(file);
        try {
            return RangeFormat.open(file, 1);
        } catch (RangesRefusedException impossible) {
            throw new IllegalStateException(impossible);
        }
    }

    @Benchmark
    @OperationsPerInvocation(ASKED)
    public long randomIpv4() {
        return ask(randomIpv4, 6);
    }

    @Benchmark
    @OperationsPerInvocation(ASKED)
    public long listedIpv4() {
        return ask(listedIpv4, 6);
    }

    @Benchmark
    @OperationsPerInvocation(ASKED)
    public long randomIpv6() {
        return ask(randomIpv6, 18);
    }

    private long ask(byte[] addresses, int bytes) {
        long sum = 0;
        for (int at = 0; at < addresses.length; at += bytes) {
            sum += ranges.widestBlock(addresses, at, at + bytes);
        }
        return sum;
    }
}
