import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.SplittableRandom;
import java.util.zip.CRC32C;

/// Writes an hourly file of the key journal with so many megabytes from one client network: that of the first message
/// of another file, whose head it takes too. FillKeyJournal OTHER FILE MEGABYTES
public final class FillKeyJournal {
    private static final int HASHES = 500;

    public static void main(String[] args) throws Exception {
        Path head = Path.of(args[0]);
        Path file = Path.of(args[1]);
        long bytes = Long.parseLong(args[2]) << 20;
        SplittableRandom random = new SplittableRandom(7);
        long now = System.currentTimeMillis() / 1000 - 10_000;
        ByteBuffer record = ByteBuffer.allocate(32 + HASHES * Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
        try (FileChannel from = FileChannel.open(head);
                FileChannel out = FileChannel.open(file, StandardOpenOption.WRITE, StandardOpenOption.CREATE_NEW)) {
            from.transferTo(0, 16, out);
            ByteBuffer network = ByteBuffer.allocate(Long.BYTES).order(ByteOrder.LITTLE_ENDIAN);
            from.read(network, 16 + 24);
            for (long token = 1; out.position() < bytes; token++) {
                record.clear().putInt(0).putInt(HASHES).putLong(token).putLong(now).putLong(network.getLong(0));
                while (record.hasRemaining()) {
                    record.putLong(random.nextLong());
                }
                CRC32C crc = new CRC32C();
                crc.update(record.slice(4, record.capacity() - 4));
                out.write(record.putInt(0, (int) crc.getValue()).flip());
            }
        }
    }
}
