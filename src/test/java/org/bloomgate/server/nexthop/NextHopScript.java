package org.bloomgate.server.nexthop;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A file of `dialogues/nexthop`: what the next hop says and expects, and what a transaction does and gets.
///
/// | line | is |
/// |---|---|
/// | `# text` | a comment |
/// | `lmtp`, `timeout STEP PT0.4S` | a setting; the steps are `connect`, `rcpt`, `data` and `dot` |
/// | `top text` | a setting: the fields that DATA puts on top |
/// | `chunking off`, `lastSeen PT0S` | settings: whether BDAT is used, and on connections heard from within which time
/// |
/// | `> text` | the next hop sends a line; `{4096}` stands for as many letters, `\r` `\n` `\0` for bytes, `\c` for no
/// CRLF |
/// | `< text` | it expects exactly this line |
/// | `! close`, `! reset` | it ends the connection, cleanly or not |
/// | `! accept` | it waits for the next connection; the first one is waited for anyway |
/// | `! stall` | it does nothing more until the test is over |
/// | `! tls`, `! tls refused` | it goes on inside TLS, or finds that the client does not want its certificate |
/// | `! gone` | it expects that nothing but the end of the connection comes |
/// | `= STEP [argument] -> reply` | `MAIL`, `RCPT`, `DATA` (its argument is the message) with the expected reply, lines
/// joined by a bar |
/// | `= CLOSE` | the transaction is closed; the next step begins another |
public record NextHopScript(List<String> settings, List<String> server, List<Step> steps) {
    private static final Pattern REPEATED = Pattern.compile("\\{(\\d+)}");

    /// 20 s unless the script says otherwise.
    Duration timeout(String step) {
        return setting("timeout " + step).map(Duration::parse).orElse(Duration.ofSeconds(20));
    }

    Duration recent() {
        return setting("heard").map(Duration::parse).orElse(Duration.ofSeconds(20));
    }

    byte[] top() {
        return bytes(setting("top").orElse("")).getBytes(ISO_8859_1);
    }

    private Optional<String> setting(String name) {
        return settings.stream()
                .filter(setting -> setting.startsWith(name + " "))
                .map(setting -> setting.substring(name.length() + 1))
                .findFirst();
    }

    /// @param reply expected; empty for CLOSE
    record Step(String verb, String argument, String reply) {}

    static NextHopScript read(Path file) throws IOException {
        List<String> settings = new ArrayList<>();
        List<String> server = new ArrayList<>();
        List<Step> steps = new ArrayList<>();
        for (String line : Files.readAllLines(file, ISO_8859_1)) {
            switch (line.isEmpty() ? '#' : line.charAt(0)) {
                case '#' -> {}
                case '>', '<', '!' -> server.add(line);
                case '=' -> steps.add(step(line.substring(2)));
                default -> settings.add(line);
            }
        }
        return new NextHopScript(settings, server, steps);
    }

    private static Step step(String line) {
        int arrow = line.indexOf(" -> ");
        String command = arrow < 0 ? line : line.substring(0, arrow);
        String reply = arrow < 0 ? "" : bytes(line.substring(arrow + 4));
        int blank = command.indexOf(' ');
        return blank < 0
                ? new Step(command, "", reply)
                : new Step(command.substring(0, blank), bytes(command.substring(blank + 1)), reply);
    }

    /// What a `>` line puts on the wire.
    public static String wire(String line) {
        String text = bytes(line.substring(2));
        return text.endsWith("\\c") ? text.substring(0, text.length() - 2) : text + "\r\n";
    }

    private static String bytes(String text) {
        Matcher repeated = REPEATED.matcher(text);
        return repeated.replaceAll(count -> "x".repeat(Integer.parseInt(count.group(1))))
                .replace("\\r", "\r")
                .replace("\\n", "\n")
                .replace("\\0", "\0");
    }
}
