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
import org.bloomgate.content.mime.ScriptFuzz;
import org.bloomgate.core.bloom.FilterFuzz;
import org.bloomgate.core.key.AddressFuzz;
import org.bloomgate.core.key.FormFuzz;
import org.bloomgate.core.key.UrlFuzz;
import org.bloomgate.lists.format.FeedFuzz;
import org.bloomgate.lookup.store.PagesFuzz;
import org.bloomgate.server.dns.DnsFuzz;
import org.bloomgate.server.milter.SessionFuzz;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Runs the fuzz targets on the inputs in `src/test/resources/fuzz` and on changes to them, the same ones in every run.
/// `mvn -Pfuzz test` lets Jazzer look for new ones.
class FuzzTest {
    private static final Path RESOURCES = Path.of("src/test/resources");
    private static final int ROUNDS = Rounds.of(40);
    private static final byte[] TELLING =
            " \t\r\n<>&=\"'/\\:;.,@#?%()[]{}-+*_0aZ\0".getBytes(StandardCharsets.US_ASCII);

    private static Arguments target(Consumer<byte[]> target, String... folders) {
        return Arguments.of(Named.of(folders[0], target), List.of(folders));
    }

    static Stream<Arguments> targets() {
        return Stream.of(
                target(MessageFuzz::fuzzerTestOneInput, "fuzz/messages", "messages"),
                target(UrlFuzz::fuzzerTestOneInput, "fuzz/urls"),
                target(AddressFuzz::fuzzerTestOneInput, "fuzz/addresses"),
                target(FormFuzz::fuzzerTestOneInput, "fuzz/forms", "fuzz/urls", "fuzz/addresses"),
                target(FeedFuzz::fuzzerTestOneInput, "fuzz/feeds"),
                target(DnsFuzz::fuzzerTestOneInput, "fuzz/questions"),
                target(HtmlFuzz::fuzzerTestOneInput, "fuzz/html"),
                target(PdfFuzz::fuzzerTestOneInput, "fuzz/pdf"),
                target(FileFuzz::fuzzerTestOneInput, "fuzz/files", "fuzz/pdf"),
                target(ScriptFuzz::fuzzerTestOneInput, "fuzz/scripts"),
                target(DocumentFuzz::fuzzerTestOneInput, "fuzz/documents"),
                target(ArchiveFuzz::fuzzerTestOneInput, "fuzz/archives"),
                target(PictureFuzz::fuzzerTestOneInput, "fuzz/pictures"),
                target(SessionFuzz::fuzzerTestOneInput, "fuzz/milter"),
                target(FilterFuzz::fuzzerTestOneInput, "fuzz/filters"),
                target(PagesFuzz::fuzzerTestOneInput, "fuzz/pages"));
    }

    @ParameterizedTest
    @MethodSource("targets")
    void changedSeeds_passTheTarget(Consumer<byte[]> target, List<String> folders) throws IOException {
        List<byte[]> seeds = seeds(folders);
        SplittableRandom random = new SplittableRandom(20260103);
        for (byte[] seed : seeds) {
            target.accept(seed);
            for (int i = 0; i < ROUNDS; i++) {
                target.accept(changed(seed, seeds.get(random.nextInt(seeds.size())), random));
            }
        }
    }

    private static List<byte[]> seeds(List<String> folders) throws IOException {
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
