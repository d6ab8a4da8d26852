package org.bloomgate.content.mime;

import com.sun.management.ThreadMXBean;
import java.lang.management.ManagementFactory;
import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import java.util.function.IntFunction;
import org.bloomgate.core.limit.MessageLimits;

/// Prints what plain text and each of the [HostileMessages], [HostileBombs] and [HostileShapes] costs: CPU time and
/// allocation of the cheapest of three readings on a warm machine, and the answer, one a line with tabs. A long form of
/// the acceptance checks runs it, as it measures time.
final class HostileMessagesTable {
    private static final ThreadMXBean THREAD = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int READINGS = 3;

    private static final String PLAIN = "The goods were sent on Monday, as you asked, and should arrive this week.\r\n";

    /// Without the safety net, which a busy machine may reach.
    private static final MessageReader READER = new MessageReader(MessageLimits.defaults());

    private HostileMessagesTable() {}

    public static void main(String[] args) {
        int bytes = args.length == 0 ? 10_000_000 : Integer.parseInt(args[0]);
        Map<String, IntFunction<byte[]>> all = new LinkedHashMap<>();
        all.put("plain text", size -> HostileMessages.ofText(PLAIN, size));
        all.putAll(HostileMessages.all());
        all.putAll(HostileBombs.all());
        HostileShapes.all().stream()
                .filter(row -> row.reason().isEmpty())
                .forEach(row -> all.put(row.name(), row.message()));
        all.values().forEach(message -> ReadMessage.of(message.apply(400_000), READER));
        all.forEach((name, message) -> measure(name, message.apply(bytes)));
    }

    private static void measure(String name, byte[] message) {
        long cpu = Long.MAX_VALUE;
        long allocated = Long.MAX_VALUE;
        ReadMessage first = ReadMessage.of(message, READER);
        for (int i = 0; i < READINGS; i++) {
            long cpuBefore = THREAD.getCurrentThreadCpuTime();
            long allocatedBefore = THREAD.getCurrentThreadAllocatedBytes();
            ReadMessage again = ReadMessage.of(message, READER);
            cpu = Math.min(cpu, THREAD.getCurrentThreadCpuTime() - cpuBefore);
            allocated = Math.min(allocated, THREAD.getCurrentThreadAllocatedBytes() - allocatedBefore);
            if (!again.equals(first)) {
                throw new IllegalStateException(name + ": two answers");
            }
        }
        System.out.printf(
                Locale.ROOT,
                "%s\t%d\t%.1f\t%.1f\t%d\t%s%n",
                name.replaceAll("\\P{Print}", "?"),
                message.length,
                cpu / 1e6,
                allocated / 1e6,
                first.identifiers().size(),
                String.join(",", first.limits()));
    }
}
