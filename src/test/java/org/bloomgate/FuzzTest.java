package org.bloomgate;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.bloomgate.content.archive.ArchiveFuzz;
import org.bloomgate.content.document.DocumentFuzz;
import org.bloomgate.content.image.PictureFuzz;
import org.bloomgate.content.mime.FileFuzz;
import org.bloomgate.content.mime.HtmlFuzz;
import org.bloomgate.content.mime.MessageFuzz;
import org.bloomgate.content.mime.PdfFuzz;
import org.bloomgate.core.bloom.FilterFuzz;
import org.bloomgate.core.key.AddressFuzz;
import org.bloomgate.core.key.FormFuzz;
import org.bloomgate.core.key.UrlFuzz;
import org.bloomgate.lists.format.FeedFuzz;
import org.bloomgate.server.dns.DnsFuzz;
import org.bloomgate.server.milter.SessionFuzz;
import org.junit.jupiter.api.Test;

/// The fuzz targets over what is in `src/test/resources/fuzz` and over changes to it, the same ones in every run. The
/// system property `fuzz.rounds` sets the changes to each input; `mvn -Pfuzz test` has Jazzer look for new ones.
class FuzzTest {
    private static final Path RESOURCES = Path.of("src/test/resources");
    private static final int ROUNDS = Integer.getInteger("fuzz.rounds", 40);
    private static final byte[] TELLING =
            " \t\r\n<>&=\"'/\\:;.,@#?%()[]{}-+*_0aZ\0".getBytes(StandardCharsets.US_ASCII);

    @Test
    void messages() throws IOException {
        run(seeds("fuzz/messages", "messages"), MessageFuzz::fuzzerTestOneInput);
    }

    @Test
    void urls() throws IOException {
        run(seeds("fuzz/urls"), UrlFuzz::fuzzerTestOneInput);
    }

    @Test
    void addresses() throws IOException {
        run(seeds("fuzz/addresses"), AddressFuzz::fuzzerTestOneInput);
    }

    @Test
    void forms() throws IOException {
        run(seeds("fuzz/forms", "fuzz/urls", "fuzz/addresses"), FormFuzz::fuzzerTestOneInput);
    }

    @Test
    void feeds() throws IOException {
        run(seeds("fuzz/feeds"), FeedFuzz::fuzzerTestOneInput);
    }

    @Test
    void questions() throws IOException {
        run(seeds("fuzz/questions"), DnsFuzz::fuzzerTestOneInput);
    }

    @Test
    void html() throws IOException {
        run(seeds("fuzz/html"), HtmlFuzz::fuzzerTestOneInput);
    }

    @Test
    void pdf() throws IOException {
        run(seeds("fuzz/pdf"), PdfFuzz::fuzzerTestOneInput);
    }

    @Test
    void attachedFiles() throws IOException {
        run(seeds("fuzz/files", "fuzz/pdf"), FileFuzz::fuzzerTestOneInput);
    }

    @Test
    void documents() throws IOException {
        run(seeds("fuzz/documents"), DocumentFuzz::fuzzerTestOneInput);
    }

    @Test
    void archives() throws IOException {
        run(seeds("fuzz/archives"), ArchiveFuzz::fuzzerTestOneInput);
    }

    @Test
    void pictures() throws IOException {
        run(seeds("fuzz/pictures"), PictureFuzz::fuzzerTestOneInput);
    }

    @Test
    void sessionsOfMailServers() throws IOException {
        run(seeds("fuzz/milter"), SessionFuzz::fuzzerTestOneInput);
    }

    @Test
    void filters() throws IOException {
        run(seeds("fuzz/filters"), FilterFuzz::fuzzerTestOneInput);
    }

    private static void run(List<byte[]> seeds, Consumer<byte[]> target) {
        SplittableRandom random = new SplittableRandom(20260103);
        for (byte[] seed : seeds) {
            target.accept(seed);
            for (int i = 0; i < ROUNDS; i++) {
                target.accept(changed(seed, seeds.get(random.nextInt(seeds.size())), random));
            }
        }
    }

    private static List<byte[]> seeds(String... folders) throws IOException {
        List<byte[]> seeds = new ArrayList<>();
        for (String folder : folders) {
            try (Stream<Path> files = Files.list(RESOURCES.resolve(folder))) {
                for (Path file : files.sorted().toList()) {
                    seeds.add(Files.readAllBytes(file));
                }
            }
        }
        return seeds;
    }

    /// A few bytes changed, then a piece of itself or of another put in, or the end cut off.
    private static byte[] changed(byte[] seed, byte[] other, SplittableRandom random) {
        byte[] changed = seed.clone();
        int changes = changed.length == 0 ? 0 : random.nextInt(8);
        for (int i = 0; i < changes; i++) {
            boolean telling = random.nextInt(3) > 0;
            changed[random.nextInt(changed.length)] =
                    telling ? TELLING[random.nextInt(TELLING.length)] : (byte) random.nextInt(256);
        }
        byte[] source = random.nextBoolean() ? changed : other;
        int at = random.nextInt(changed.length + 1);
        int from = random.nextInt(source.length + 1);
        int taken = random.nextInt(Math.min(source.length - from, 200) + 1);
        int kept = random.nextInt(4) == 0 ? 0 : changed.length - at;
        byte[] spliced = new byte[at + taken + kept];
        System.arraycopy(changed, 0, spliced, 0, at);
        System.arraycopy(source, from, spliced, at, taken);
        System.arraycopy(changed, at, spliced, at + taken, kept);
        return spliced;
    }
}
