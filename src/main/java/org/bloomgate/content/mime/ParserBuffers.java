package org.bloomgate.content.mime;

import java.io.InputStream;
import java.lang.ref.SoftReference;
import java.util.Arrays;
import org.apache.james.mime4j.io.BufferedLineReaderInputStream;
import org.apache.james.mime4j.stream.DefaultFieldBuilder;
import org.apache.james.mime4j.util.BufferRecycler;

/// The buffers that Mime4j reads one message through. It keeps them for each thread, and would make them again
/// for each session's: 14 KB for a mail of two parts. Those of a message go on to the next one, as zeros.
///
/// For one thread at a time.
final class ParserBuffers {
    /// Of one kind. Hides nothing: a message with more containers within one another makes more, for itself.
    static final int MOST_KEPT = 8;

    /// A buffer that a long line or field made larger is not kept.
    static final int KEPT_BYTES = 8 * 1024;

    private final BufferRecycler ofLines = new Kept();
    private final BufferRecycler ofFields = new Kept();

    /// From now on this thread's parsers use them.
    void lend() {
        Lines.use(new SoftReference<>(ofLines));
        Fields.use(new SoftReference<>(ofFields));
    }

    void takeBack() {
        Lines.useOwn();
        Fields.useOwn();
    }

    /// Keeps a bounded number of buffers, of bounded size.
    static final class Kept extends BufferRecycler {
        @Override
        public void releaseByteBuffer(int kind, byte[] buffer) {
            if (buffer.length <= KEPT_BYTES && _byteBuffers[kind].size() < MOST_KEPT) {
                Arrays.fill(buffer, (byte) 0);
                super.releaseByteBuffer(kind, buffer);
            }
        }

        @Override
        public void releaseIntBuffer(int[] buffer) {
            if (_intBuffers.size() < MOST_KEPT) {
                super.releaseIntBuffer(buffer);
            }
        }
    }

    /// Where the parser's reader looks for its thread's buffers.
    private static final class Lines extends BufferedLineReaderInputStream {
        private Lines() {
            super(InputStream.nullInputStream(), 0);
        }

        static void use(SoftReference<BufferRecycler> buffers) {
            _recyclerRef.set(buffers);
        }

        static void useOwn() {
            _recyclerRef.remove();
        }
    }

    /// Where the builder of fields does.
    private static final class Fields extends DefaultFieldBuilder {
        private Fields() {
            super(0);
        }

        static void use(SoftReference<BufferRecycler> buffers) {
            _recyclerRef.set(buffers);
        }

        static void useOwn() {
            _recyclerRef.remove();
        }
    }
}
