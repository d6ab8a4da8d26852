package org.bloomgate.content.mime;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.apache.james.mime4j.MimeException;
import org.apache.james.mime4j.stream.EntityState;
import org.apache.james.mime4j.stream.MimeConfig;
import org.apache.james.mime4j.stream.MimeTokenStream;
import org.bloomgate.core.limit.Allowance;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.core.limit.MessageLimits;

/// Messages under the folder that the system property `mail` names, every file below [#LARGEST_BYTES], in the order
/// of their names but scattered, so that neighbours differ. Real mail stays outside the project.
final class MailSample {
    private static final int LARGEST_BYTES = 1024 * 1024;

    private MailSample() {}

    static List<byte[]> messages() {
        String folder = System.getProperty("mail", "");
        if (folder.isEmpty()) {
            throw new IllegalStateException("-jvmArgsAppend -Dmail=FOLDER names the messages to measure with");
        }
        List<byte[]> messages = new ArrayList<>();
        try (Stream<Path> walk = Files.walk(Path.of(folder))) {
            List<Path> files = walk.filter(Files::isRegularFile).sorted().toList();
            int step = 7919 % Math.max(1, files.size());
            for (int i = 0; i < files.size(); i++) {
                Path file = files.get((int) ((long) i * step % files.size()));
                if (Files.size(file) < LARGEST_BYTES) {
                    messages.add(Files.readAllBytes(file));
                }
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return messages;
    }

    /// Text of the parts of one message, decoded, that are of this kind.
    static List<char[]> parts(byte[] message, PartKind wanted) {
        List<char[]> texts = new ArrayList<>();
        MimeTokenStream tokens = new MimeTokenStream(MimeConfig.PERMISSIVE);
        Workspace workspace = new Workspace(new LargeBuffers());
        Allowance allowance = new Allowance(MessageLimits.defaults());
        try {
            tokens.parse(new ByteArrayInputStream(message));
            for (EntityState state = tokens.getState(); state != EntityState.T_END_OF_STREAM; state = tokens.next()) {
                if (state == EntityState.T_BODY
                        && PartKind.ofType(tokens.getBodyDescriptor().getMimeType()) == wanted) {
                    InputStream content = tokens.getDecodedInputStream();
                    String charset = tokens.getBodyDescriptor().getCharset();
                    workspace.clear();
                    workspace.readUpTo(content, LARGEST_BYTES, allowance, Limit.PART_TEXT_BYTES);
                    workspace.decoded().clear();
                    TextDecoding.decode(
                            workspace.bytes(),
                            workspace.length(),
                            charset == null ? "" : charset,
                            allowance,
                            workspace.decoded());
                    texts.add(Arrays.copyOf(
                            workspace.decoded().array(), workspace.decoded().length()));
                }
            }
        } catch (IOException | MimeException malformed) {
            return texts;
        }
        return texts;
    }
}
