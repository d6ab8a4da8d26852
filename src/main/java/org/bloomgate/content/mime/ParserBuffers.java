package org.bloomgate.content.mime;

import java.io.InputStream;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import org.apache.james.mime4j.io.BufferedLineReaderInputStream;
import org.apache.james.mime4j.stream.DefaultFieldBuilder;
import org.apache.james.mime4j.util.BufferRecycler;

/// The buffers that Mime4j uses to read a message. Mime4j keeps buffers for each thread, so it would allocate
/// new ones for each session: 14 KB for a message of two parts. This class passes the buffers of a message on
/// to the next one, filled with zeros.
///
/// Used by one thread at a time.
final class ParserBuffers {
    /// The most buffers of one kind that are kept. Hides nothing: a message with deeper nesting allocates more.
    static final int MAX_KEPT = 8;

    /// A buffer that a long line or field made larger is not kept.
    static final int KEPT_BYTES = 8 * 1024;

    private final BufferRecycler lineBuffers = new BoundedRecycler();
    private final BufferRecycler fieldBuffers = new BoundedRecycler();

    /// Makes the parsers of this thread use these buffers.
    void install() {
        Lines.install(new SoftReference<>(lineBuffers));
        Fields.install(new SoftReference<>(fieldBuffers));
    }

    /// Makes the parsers of this thread use their own buffers again.
    void uninstall() {
        Lines.restore();
        Fields.restore();
    }

    /// Keeps a bounded number of buffers of bounded size.
    static final class BoundedRecycler extends BufferRecycler {
        @Override
        public void releaseByteBuffer(int kind, byte[] buffer) {
            if (buffer.length <= KEPT_BYTES && _byteBuffers[kind].size() < MAX_KEPT) {
                Arrays.fill(buffer, (byte) 0);
                super.releaseByteBuffer(kind, buffer);
            }
        }

        @Override
        public void releaseIntBuffer(int[] buffer) {
            if (_intBuffers.size() < MAX_KEPT) {
                super.releaseIntBuffer(buffer);
            }
        }
    }

    /// Access to the thread's buffers of the parser's line reader.
    private static final class Lines extends BufferedLineReaderInputStream {
        private Lines() {
            super(InputStream.nullInputStream(), 0);
        }

        static void install(SoftReference<BufferRecycler> buffers) {
            _recyclerRef.set(buffers);
        }

        static void restore() {
            _recyclerRef.remove();
        }
    }

    /// Access to the thread's buffers of the field builder.
    private static final class Fields extends DefaultFieldBuilder {
        private Fields() {
            super(0);
        }

        static void install(SoftReference<BufferRecycler> buffers) {
            _recyclerRef.set(buffers);
        }

        static void restore() {
            _recyclerRef.remove();
        }
    }
}
