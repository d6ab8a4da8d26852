package org.bloomgate.server.smtp;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.bloomgate.core.smtp.Reply;

/// A file of `dialogues/relay`: a client's side of a session and what has to come of it.
///
/// | line | is |
/// |---|---|
/// | `# text` | a comment |
/// | `set KEY=VALUE` | a setting of [RelayWorld] |
/// | `hop COMMAND -> reply` | what the next hop answers, lines joined by a bar; `offers` names its extensions |
/// | `C: text` | the client sends a line; lines in succession go out in one write |
/// | `S: text` | the relay answers exactly this line; `*` stands for anything |
/// | `! closed`, `! tls`, `! leave` | the relay closes; the client begins TLS; the client closes |
/// | `H: text` | the next hop's whole record ([RecordingNextHop#record()]), in order |
/// | `D: ACTION[(SHADOW)] VERDICT REPLY [<- NEXT-HOP-REPLY[, refused LIST]]` | the decisions in the journal, in order |
///
/// In a `C:` line `\r` `\n` `\0` `\xHH` stand for bytes, `{98*ab}` for repetition, `\c` at the end for no CRLF.
record RelayScript(
        Map<String, String> settings,
        Map<String, Reply> hopReplies,
        List<String> steps,
        List<String> hopRecord,
        List<String> decisions) {

    static RelayScript read(Path file) throws IOException {
        RelayScript script = new RelayScript(
                new HashMap<>(), new HashMap<>(), new ArrayList<>(), new ArrayList<>(), new ArrayList<>());
        for (String line : Files.readAllLines(file, StandardCharsets.UTF_8)) {
            script.take(line);
        }
        return script;
    }

    private void take(String line) {
        String rest = line.substring(Math.min(line.length(), line.indexOf(' ') + 1));
        switch (line.isEmpty() ? "#" : line.split(" ", 2)[0]) {
            case "#" -> {}
            case "set" -> settings.put(rest.split("=", 2)[0], rest.split("=", 2)[1]);
            case "offers" -> settings.put("offers", rest);
            case "hop" -> hopReplies.put(rest.split(" -> ", 2)[0], reply(rest.split(" -> ", 2)[1]));
            case "C:", "S:", "!" -> steps.add(line);
            case "H:" -> hopRecord.add(rest);
            case "D:" -> decisions.add(rest);
            default -> throw new AssertionError("no such line: " + line);
        }
    }

    private static Reply reply(String text) {
        List<String> lines = List.of(text.split("\\|", -1));
        int code = Integer.parseInt(lines.getFirst().substring(0, 3));
        return new Reply(code, lines.stream().map(line -> line.substring(4)).toList());
    }

    /// The bytes of a `C:` line, one a character.
    static String bytes(String text) {
        boolean open = text.endsWith("\\c");
        String line = unescaped(open ? text.substring(0, text.length() - 2) : text);
        return open ? line : line + "\r\n";
    }

    private static String unescaped(String text) {
        String repeated = Pattern.compile("\\{(\\d+)\\*([^}]*)}")
                .matcher(text)
                .replaceAll(found -> java.util.regex.Matcher.quoteReplacement(
                        found.group(2).repeat(Integer.parseInt(found.group(1)))));
        return Pattern.compile("\\\\(r|n|0|x[0-9a-f]{2})").matcher(repeated).replaceAll(found -> switch (found.group(1)
                .charAt(0)) {
            case 'r' -> "\r";
            case 'n' -> "\n";
            case '0' -> "\0";
            default ->
                java.util.regex.Matcher.quoteReplacement(
                        String.valueOf((char) Integer.parseInt(found.group(1).substring(1), 16)));
        });
    }

    /// Bytes as a script shows them.
    static String escaped(String bytes) {
        StringBuilder text = new StringBuilder();
        bytes.chars().forEach(b -> {
            switch (b) {
                case '\r' -> text.append("\\r");
                case '\n' -> text.append("\\n");
                case '\0' -> text.append("\\0");
                default -> text.append(b < 0x7f ? Character.toString(b) : String.format("\\x%02x", b));
            }
        });
        return text.toString();
    }

    /// True when the text is as expected; `*` stands for anything.
    static boolean matches(String expected, String text) {
        String[] parts = expected.split("\\*", -1);
        StringBuilder pattern = new StringBuilder(Pattern.quote(parts[0]));
        for (int i = 1; i < parts.length; i++) {
            pattern.append(".*").append(Pattern.quote(parts[i]));
        }
        return text.matches(pattern.toString());
    }
}
