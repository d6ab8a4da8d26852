package org.bloomgate.rehearsal;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import java.util.SplittableRandom;

/// Fills the letters that lie beside this class. `{host}` is one host a letter, `{name}` one name, `{n}` a number
/// and `{words}` some words, each time others. All hosts exist nowhere (RFC 2606).
final class MadeUpText {
    private static final String FOLDER = "letters/";
    private static final String[] NAMES = {"Ann Smith", "Jörg Müller", "R. Perez", "Ольга", "李 Wei"};
    private static final String[] WORDS =
            ("the a of for your we have sent report account meeting on Monday please see invoice order No. 17 ready and"
                            + " shipped today, thanks! café Straße für l'équipe (new) 10:30 price: 9.99 \"free\" résumé it's"
                            + " e-mail www and/or A/B up-to-date")
                    .split(" ");
    private static final int WORDS_A_SENTENCE = 24;
    private static final int A_LINE = 12;

    /// What mail holds where its program, or its hand, slipped.
    private static final String[] SLIPS = ("< > & ; \" ' % \\ / = ? _ # @ : , . ( ) [ ] { } ! * - + ~ | $ ^ ` A z 0 h w"
                    + " \t \r\n \0 \u00a0 \u200b \u201c \u3000 \u00e9 \u4e2d \ud83c\udf89 &#39; &#x2F; &quot;"
                    + " %2F %3A =3D /* */ <!-- --> // http:")
            .split(" ");

    /// From one slip to the next, in the mean.
    private static final int CHARS_A_SLIP = 300;

    private final SplittableRandom random;

    MadeUpText(SplittableRandom random) {
        this.random = random;
    }

    /// The octets of a file of the folder, as it is.
    static byte[] octets(String file) {
        try (InputStream in = Objects.requireNonNull(MadeUpText.class.getResourceAsStream(FOLDER + file), file)) {
            return in.readAllBytes();
        } catch (IOException unreadable) {
            throw new UncheckedIOException(file, unreadable);
        }
    }

    /// A file of the folder in UTF-8, filled, with the line ends of a mail.
    String letter(String file) {
        return slipped(fill(new String(octets(file), StandardCharsets.UTF_8).replaceAll("\r?\n", "\r\n")));
    }

    /// With something too much, too little or wrong here and there. Mail is as untidy: a branch that the
    /// compiler has seen nobody take is left out, and the whole compiled anew when somebody does. Line ends
    /// stay whole: mail with half of one may be refused unread.
    String slipped(String text) {
        StringBuilder slipped = new StringBuilder(text.length() + text.length() / A_LINE);
        int from = 0;
        for (int at = gap(); at < text.length(); at += gap()) {
            if (text.charAt(at) != '\r' && text.charAt(at) != '\n') {
                slipped.append(text, from, at);
                from = at + random.nextInt(2);
                if (random.nextInt(SLIPS.length) > 0) {
                    slipped.append(SLIPS[random.nextInt(SLIPS.length)]);
                }
            }
        }
        return slipped.append(text, from, text.length()).toString();
    }

    private int gap() {
        return random.nextInt(1, 2 * CHARS_A_SLIP);
    }

    String fill(String template) {
        StringBuilder text = new StringBuilder(2 * template.length());
        String host = host();
        String name = NAMES[random.nextInt(NAMES.length)];
        int from = 0;
        for (int at = template.indexOf('{'); at >= 0; at = template.indexOf('{', from)) {
            int end = template.indexOf('}', at);
            text.append(template, from, at);
            switch (template.substring(at, end + 1)) {
                case "{host}" -> text.append(host);
                case "{name}" -> text.append(name);
                case "{n}" -> text.append(random.nextInt(100, 99_999));
                case "{words}" -> words(text);
                default -> {
                    text.append('{');
                    end = at;
                }
            }
            from = end + 1;
        }
        return text.append(template, from, template.length()).toString();
    }

    private String host() {
        return "www" + random.nextInt(5000) + (random.nextBoolean() ? ".shop.invalid" : ".mail-news.invalid");
    }

    private void words(StringBuilder text) {
        for (int i = 1; i <= WORDS_A_SENTENCE; i++) {
            text.append(WORDS[random.nextInt(WORDS.length)]).append(i % A_LINE == 0 ? "\r\n" : " ");
        }
        text.setLength(text.length() - 2);
    }
}
