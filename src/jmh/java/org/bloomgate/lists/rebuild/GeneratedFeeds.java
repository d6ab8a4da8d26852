package org.bloomgate.lists.rebuild;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Writes feeds of any size with keys that do not repeat, in no order, under reserved names: six in ten lines are
/// domains, three URLs, one an address. Beside them a `feeds.yaml` and a `bloomgate.yaml` of a working folder.
///
/// Arguments: folder, number of lines in all, and a salt (0 unless told; another one gives other keys).
public final class GeneratedFeeds {
    private static final String DIGITS = "0123456789abcdefghijklmnopqrstuv";
    private static final String[] ZONES = {"example", "mail.example", "shop.test", "cdn-7.example", "host.test"};

    private final byte[] line = new byte[256];
    private int used;

    private GeneratedFeeds() {}

    /// One kind of line, made from a number.
    private interface Shape {
        void line(long number);
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Files.createDirectories(Path.of(arguments[0]));
        long lines = Long.parseLong(arguments[1]);
        long salt = arguments.length > 2 ? Long.parseLong(arguments[2]) : 0;
        GeneratedFeeds generated = new GeneratedFeeds();
        generated.write(folder.resolve("domains.txt"), lines / 10 * 6, salt, generated::domain);
        generated.write(folder.resolve("urls.txt"), lines / 10 * 3, salt, generated::url);
        generated.write(folder.resolve("addresses.txt"), lines / 10, salt, generated::address);
        Files.writeString(folder.resolve("feeds.yaml"), """
                allow: []
                feeds:
                  - { name: domains, kind: domain, format: lines, category: phishing, source: "%1$s/domains.txt" }
                  - { name: urls, kind: url, format: lines, category: malware, source: "%1$s/urls.txt" }
                  - { name: addresses, kind: address, format: lines, category: spam, source: "%1$s/addresses.txt" }
                """.formatted(folder.toAbsolutePath()));
        Files.writeString(folder.resolve("bloomgate.yaml"), """
                state: "%1$s"
                feeds: "%1$s/feeds.yaml"
                nextHop: "maildir:%1$s/mail"
                smtp: { listen: "127.0.0.1:0" }
                http: { listen: "127.0.0.1:0" }
                """.formatted(folder.toAbsolutePath()));
    }

    private void write(Path file, long lines, long salt, Shape shape) throws IOException {
        try (OutputStream out = new BufferedOutputStream(Files.newOutputStream(file), 1 << 20)) {
            for (long i = 0; i < lines; i++) {
                used = 0;
                shape.line(mix(i + (salt << 40)));
                line[used++] = '\n';
                out.write(line, 0, used);
            }
        }
    }

    private void domain(long number) {
        digits(number, 13);
        text(".");
        text(zone(number));
    }

    private void url(long number) {
        text("http://");
        digits(number >>> 40, 5);
        text(".");
        text(zone(number));
        text("/wp/");
        digits(number, 13);
        text(".html");
    }

    private void address(long number) {
        digits(number, 13);
        text("@");
        digits(number >>> 50, 3);
        text(".");
        text(zone(number));
    }

    private static String zone(long number) {
        return ZONES[(int) Long.remainderUnsigned(number, ZONES.length)];
    }

    private void digits(long number, int count) {
        for (int i = 0; i < count; i++) {
            line[used++] = (byte) DIGITS.charAt((int) (number >>> (5 * i)) & 31);
        }
    }

    private void text(String text) {
        byte[] bytes = text.getBytes(StandardCharsets.US_ASCII);
        System.arraycopy(bytes, 0, line, used, bytes.length);
        used += bytes.length;
    }

    /// Another number for each number (Stafford's mix 13).
    private static long mix(long number) {
        long z = number * 0x9E3779B97F4A7C15L;
        z = (z ^ z >>> 30) * 0xBF58476D1CE4E5B9L;
        z = (z ^ z >>> 27) * 0x94D049BB133111EBL;
        return z ^ z >>> 31;
    }
}
