package org.bloomgate.content.mime;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.apache.james.mime4j.stream.NameValuePair;
import org.bloomgate.content.links.PercentDecoding;
import org.bloomgate.core.text.TextForms;

/// Reads a parameter of a header field, also one that is encoded (`name*=utf-8''a%20b`) or split into pieces
/// (`name*0=a; name*1=b`) as RFC 2231 allows. Otherwise a boundary in two pieces would hide every part of a
/// message.
final class FieldParameter {
    private FieldParameter() {}

    /// Returns the value of a parameter; empty if there is none. The plain form takes precedence over the
    /// encoded one, and the encoded one over pieces. In an encoded value, each character is one byte.
    ///
    /// @param name in lower case
    static String find(List<NameValuePair> parameters, String name) {
        return find(parameters, name, false);
    }

    /// Returns the value of a parameter as text: an encoded value is decoded by the charset that it names, or as UTF-8
    /// if that charset is unknown.
    static String findText(List<NameValuePair> parameters, String name) {
        return find(parameters, name, true);
    }

    private static String find(List<NameValuePair> parameters, String name, boolean asText) {
        String plain = "";
        Map<String, String> pieces = new HashMap<>();
        for (NameValuePair parameter : parameters) {
            String parameterName = parameter.getName() == null
                    ? ""
                    : TextForms.lowerCase(parameter.getName().strip());
            String value =
                    parameter.getValue() == null ? "" : parameter.getValue().strip();
            if (parameterName.equals(name)) {
                plain = value;
            } else if (parameterName.startsWith(name) && parameterName.charAt(name.length()) == '*') {
                pieces.put(parameterName.substring(name.length()), value);
            }
        }
        if (!plain.isEmpty() || pieces.isEmpty()) {
            return plain;
        }
        String joined = join(pieces);
        String first = pieces.getOrDefault("*", pieces.getOrDefault("*0*", ""));
        return asText && !first.isEmpty()
                ? new String(joined.getBytes(StandardCharsets.ISO_8859_1), findCharset(first))
                : joined;
    }

    /// @param encoded `charset'language'value`
    private static Charset findCharset(String encoded) {
        return CharsetNames.find(TextForms.lowerCase(encoded.substring(0, Math.max(0, encoded.indexOf('\'')))))
                .filter(charset -> !charset.equals(StandardCharsets.US_ASCII))
                .orElse(StandardCharsets.UTF_8);
    }

    /// @param pieces by the suffix of the name: `*`, `*0`, `*1*`, ...
    private static String join(Map<String, String> pieces) {
        String whole = pieces.get("*");
        if (whole != null) {
            return decode(whole, true);
        }
        StringBuilder joined = new StringBuilder();
        for (int i = 0; i < pieces.size(); i++) {
            String plain = pieces.get("*" + i);
            String encoded = pieces.get("*" + i + "*");
            if (plain == null && encoded == null) {
                break;
            }
            joined.append(encoded == null ? plain : decode(encoded, i == 0));
        }
        return joined.toString();
    }

    private static String decode(String encoded, boolean isFirst) {
        int language = isFirst ? encoded.indexOf('\'') : -1;
        int text = language < 0 ? -1 : encoded.indexOf('\'', language + 1);
        return new String(PercentDecoding.bytes(encoded.substring(text + 1), '%'), StandardCharsets.ISO_8859_1);
    }
}
