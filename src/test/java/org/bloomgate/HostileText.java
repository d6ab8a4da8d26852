package org.bloomgate;

import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.SplittableRandom;

/// Text at random, the same for a seed, made of what readers of hosts, lists and mail trip over: characters
/// that become many when they are folded, escapes of escapes, marks that pile up, unpaired surrogates,
/// delimiters, and bytes that are no text at all.
public final class HostileText {
    /// Each becomes longer by NFKC, NFC, UTS 46 or lower-casing: U+FDFA by 18 times.
    private static final List<String> EXPANDING = List.of(
            "\ufdfa",
            "\ufdfb",
            "\u3300",
            "\u3316",
            "\u33ff",
            "\ud83c\udd00",
            "\ud83c\udd10",
            "\ud83c\udd2d",
            "\u2177",
            "\u2487",
            "\u249c",
            "\u00df",
            "\u1e9e",
            "\u0130",
            "\u0149",
            "\u0344",
            "\u1f82",
            "\ufb03",
            "\ud834\udd60",
            "\u037e");

    private static final List<String> PIECES = List.of(
            "http://",
            "https:\\\\",
            "hxxp://",
            "mailto:",
            "javascript:",
            "data:text/html;base64,",
            "www.",
            ".example",
            ".com",
            "xn--",
            "xn--a-ecp.ru",
            "xn--0.pt",
            "%25",
            "%2525",
            "%",
            "%00",
            "%f0%9f",
            "%e2%84%a6",
            "&#xFDFA;",
            "&amp",
            "=?utf-8?q?=",
            "=?b?b?",
            "[::ffff:",
            "0x7f.",
            "0177.",
            "4294967296",
            "@",
            "\"",
            "\\",
            "'",
            "(",
            ")",
            "<",
            ">",
            "<a href=",
            "<base href=",
            "<!--",
            "]]>",
            "srcdoc=\"",
            "url(",
            "\\68 ",
            "/URI (",
            "/URI <",
            "stream\r\n",
            "/ObjStm",
            "||",
            "^",
            "$",
            "*.",
            "@@||",
            "0.0.0.0 ",
            "address=/",
            "local-zone: \"",
            " CNAME .",
            ",",
            ";",
            ":",
            "{\"a\":",
            "[\"",
            "/24",
            "/999999999999",
            "\r\n",
            "\n",
            "\t",
            "\0",
            "\ufeff",
            "\u200b",
            "\u3002",
            "\u202e",
            "\ud800",
            "\udfff",
            "a",
            "Z",
            "0",
            "-",
            "_",
            ".",
            "..",
            "/",
            "//",
            "?",
            "#",
            "+",
            "=");

    private final SplittableRandom random;

    public HostileText(long seed) {
        random = new SplittableRandom(seed);
    }

    public int below(int bound) {
        return random.nextInt(bound);
    }

    /// Up to this many pieces, one of which may be repeated up to 400 times.
    public String text(int pieces) {
        StringBuilder text = new StringBuilder();
        int count = random.nextInt(pieces) + 1;
        for (int i = 0; i < count; i++) {
            boolean repeated = random.nextInt(12) == 0;
            text.append(piece().repeat(repeated ? random.nextInt(400) + 1 : 1));
        }
        return text.toString();
    }

    /// A host that is long only when it is folded, one label or many.
    public String wideHost() {
        String wide = EXPANDING.get(random.nextInt(EXPANDING.size()));
        String host = wide.repeat(random.nextInt(400) + 1);
        return (random.nextBoolean() ? host : String.join(".", host.split("(?<=\\G.{30})"))) + ".example";
    }

    /// The text as UTF-8, in which a few bytes are changed now and then.
    public byte[] bytes(int pieces) {
        byte[] bytes = text(pieces).getBytes(StandardCharsets.UTF_8);
        for (int i = random.nextInt(3) == 0 ? random.nextInt(6) : 0; i > 0; i--) {
            bytes[random.nextInt(bytes.length)] = (byte) random.nextInt(256);
        }
        return bytes;
    }

    private String piece() {
        return switch (random.nextInt(8)) {
            case 0, 1 -> EXPANDING.get(random.nextInt(EXPANDING.size()));
            case 2 -> "a\u0301\u0316\u0345";
            case 3 -> Character.toString(random.nextInt(Character.MAX_CODE_POINT + 1));
            default -> PIECES.get(random.nextInt(PIECES.size()));
        };
    }
}
