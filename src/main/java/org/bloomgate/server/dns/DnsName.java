package org.bloomgate.server.dns;

import java.nio.charset.StandardCharsets;
import java.util.regex.Pattern;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// The name of a zone or a host, in lower case and without the dot at its end.
public record DnsName(String text) {
    private static final Pattern LABEL = Pattern.compile("[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?");

    /// Leaves 100 bytes for the queried names below it.
    private static final int MAX_CHARACTERS = 150;

    /// @throws IllegalArgumentException if the text is not a name
    public static DnsName of(String text) {
        String name = TextForms.lowerCase(text);
        name = name.endsWith(".") ? name.substring(0, name.length() - 1) : name;
        boolean fits = name.length() <= MAX_CHARACTERS;
        for (String label : TextScan.split(name, c -> c == '.')) {
            fits &= LABEL.matcher(label).matches();
        }
        if (!fits) {
            throw new IllegalArgumentException(
                    "'" + text + "' is not the name of a zone (for example dbl.example, at most " + MAX_CHARACTERS
                            + " characters)");
        }
        return new DnsName(name);
    }

    /// The name of this machine; `localhost` if the text is not a name.
    static DnsName ofHost(String text) {
        try {
            return of(text);
        } catch (IllegalArgumentException noName) {
            return new DnsName("localhost");
        }
    }

    /// The name in wire format: each label preceded by its length, the root at the end.
    byte[] wire() {
        byte[] wire = new byte[text.length() + 2];
        int at = 0;
        for (String label : TextScan.split(text, c -> c == '.')) {
            byte[] bytes = label.getBytes(StandardCharsets.US_ASCII);
            wire[at++] = (byte) bytes.length;
            System.arraycopy(bytes, 0, wire, at, bytes.length);
            at += bytes.length;
        }
        return wire;
    }

    @Override
    public String toString() {
        return text;
    }
}
