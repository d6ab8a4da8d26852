package org.bloomgate.lists.fetch;

import com.github.luben.zstd.ZstdInputStream;
import java.io.BufferedInputStream;
import java.io.ByteArrayInputStream;
import java.io.FilterInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.util.Arrays;
import java.util.zip.ZipEntry;
import java.util.zip.ZipInputStream;
import org.apache.commons.compress.compressors.bzip2.BZip2CompressorInputStream;
import org.apache.commons.compress.compressors.gzip.GzipCompressorInputStream;

/// Unpacks gzip, zip with one member, bzip2 and zstd, recognised by their first bytes. Anything else is
/// returned as it is.
///
/// A stream that unpacks to more than its bound ends with an error, and any exception of a decoder becomes an
/// [IOException].
public final class Unpacking {
    private static final byte[] GZIP = {0x1f, (byte) 0x8b, 8};
    private static final byte[] ZIP = {'P', 'K', 3, 4};
    private static final byte[] EMPTY_ZIP = {'P', 'K', 5, 6};
    private static final byte[] ZSTD = {0x28, (byte) 0xb5, 0x2f, (byte) 0xfd};
    private static final byte[] BZIP2 = {'B', 'Z', 'h'};
    private static final byte[] BZIP2_BLOCK = {0x31, 0x41, 0x59, 0x26, 0x53, 0x59};

    /// The number of bytes that show how content is compressed.
    public static final int HEAD_BYTES = 10;

    /// The most bytes of a gzip header. Real headers (file name, comment) have a few hundred.
    static final int MAX_GZIP_HEADER_BYTES = 64 * 1024;

    private Unpacking() {}

    public static InputStream open(InputStream compressed, long maxUnpackedBytes) throws IOException {
        try {
            return unpack(compressed, maxUnpackedBytes);
        } catch (RuntimeException e) {
            throw new IOException("corrupt: " + e.getMessage(), e);
        }
    }

    private static InputStream unpack(InputStream compressed, long maxUnpackedBytes) throws IOException {
        InputStream in = compressed instanceof ByteArrayInputStream
                ? compressed
                : new BufferedInputStream(compressed, 64 * 1024);
        in.mark(HEAD_BYTES);
        byte[] head = in.readNBytes(HEAD_BYTES);
        in.reset();
        return switch (detectCompression(head)) {
            case GZIP -> new BoundedDecoder(gunzip(in), maxUnpackedBytes);
            case BZIP2 -> new BoundedDecoder(new BZip2CompressorInputStream(in, true), maxUnpackedBytes);
            case ZSTD -> new BoundedDecoder(new ZstdInputStream(in), maxUnpackedBytes);
            case ZIP -> new BoundedDecoder(new SingleFileZip(in), maxUnpackedBytes);
            case NONE -> in;
        };
    }

    private enum Compression {
        GZIP,
        BZIP2,
        ZSTD,
        ZIP,
        NONE
    }

    private static Compression detectCompression(byte[] head) {
        if (startsWith(head, 0, GZIP)) {
            return Compression.GZIP;
        }
        if (startsWith(head, 0, BZIP2) && startsWith(head, 4, BZIP2_BLOCK)) {
            return Compression.BZIP2;
        }
        if (startsWith(head, 0, ZSTD)) {
            return Compression.ZSTD;
        }
        return startsWith(head, 0, ZIP) || startsWith(head, 0, EMPTY_ZIP) ? Compression.ZIP : Compression.NONE;
    }

    /// Unpacks all members, because a feed may be several concatenated gzip files.
    private static InputStream gunzip(InputStream in) throws IOException {
        return GzipCompressorInputStream.builder()
                .setInputStream(new GzipHeaderBound(in))
                .setDecompressConcatenated(true)
                .get();
    }

    private static boolean startsWith(byte[] head, int at, byte[] magic) {
        return head.length >= at + magic.length && Arrays.equals(head, at, at + magic.length, magic, 0, magic.length);
    }

    /// Bounds the header of a member: the decoder stores file name and comment without a bound. It reads the
    /// header byte by byte, and the compressed data in blocks.
    private static final class GzipHeaderBound extends FilterInputStream {
        private int bytes;

        GzipHeaderBound(InputStream in) {
            super(in);
        }

        @Override
        public int read() throws IOException {
            if (++bytes > MAX_GZIP_HEADER_BYTES) {
                throw new IOException("a gzip header of more than " + MAX_GZIP_HEADER_BYTES + " bytes");
            }
            return in.read();
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            bytes = 0;
            return in.read(buffer, offset, length);
        }
    }

    /// The one file of a zip archive.
    private static final class SingleFileZip extends FilterInputStream {
        private final ZipInputStream zip;

        SingleFileZip(InputStream in) throws IOException {
            super(new ZipInputStream(in));
            zip = (ZipInputStream) this.in;
            if (!toNextFile()) {
                throw new IOException("a zip archive without a file");
            }
        }

        private boolean toNextFile() throws IOException {
            ZipEntry entry = zip.getNextEntry();
            while (entry != null && entry.isDirectory()) {
                entry = zip.getNextEntry();
            }
            return entry != null;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = zip.read(buffer, offset, length);
            if (read < 0 && toNextFile()) {
                throw new IOException("a zip archive of several files; one is needed");
            }
            return read;
        }
    }

    /// The decompressed content, up to its bound, with all errors of the decoder as [IOException].
    private static final class BoundedDecoder extends FilterInputStream {
        private final long maxBytes;
        private long unpackedBytes;

        BoundedDecoder(InputStream in, long maxBytes) {
            super(in);
            this.maxBytes = maxBytes;
        }

        @Override
        public int read(byte[] buffer, int offset, int length) throws IOException {
            int read = decode(buffer, offset, length);
            unpackedBytes += Math.max(0, read);
            if (unpackedBytes > maxBytes) {
                throw new IOException("unpacks to more than " + maxBytes + " bytes (maxUnpackedBytes)");
            }
            return read;
        }

        private int decode(byte[] buffer, int offset, int length) throws IOException {
            try {
                return in.read(buffer, offset, length);
            } catch (RuntimeException e) {
                throw new IOException("corrupt: " + e.getMessage(), e);
            }
        }

        @Override
        public int read() throws IOException {
            byte[] one = new byte[1];
            return read(one, 0, 1) < 0 ? -1 : one[0] & 0xff;
        }
    }
}
