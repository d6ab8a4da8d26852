package org.bloomgate.core.smtp;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Pattern;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.core.text.TextScan;

/// A parameter of MAIL or RCPT (RFC 5321 4.1.2).
///
/// @param keyword in upper case
/// @param value empty if there is none
/// @param text as the client sent it and as it is forwarded
record EsmtpParameter(String keyword, String value, String text) {
    /// No control, blank or `=`; bytes above 127 only occur in the addresses of RFC 6533.
    private static final Pattern SYNTAX = Pattern.compile("[A-Za-z0-9][A-Za-z0-9-]*(=[!-<>-~\\x80-\\xff]+)?");

    private static final String XTEXT = "([!-*,-<>-~]|\\+[0-9A-F]{2})";
    private static final Pattern SIZE = Pattern.compile("\\d{1,20}");
    private static final Pattern BODY = Pattern.compile("(?i)7BIT|8BITMIME");
    private static final Pattern RET = Pattern.compile("(?i)FULL|HDRS");
    private static final Pattern ENVID = Pattern.compile(XTEXT + "{1,100}");
    private static final Pattern NOTIFY =
            Pattern.compile("(?i)NEVER|(SUCCESS|FAILURE|DELAY)(,(SUCCESS|FAILURE|DELAY)){0,2}");
    private static final Pattern ORCPT = Pattern.compile("[A-Za-z0-9-]{1,40};[!-<>-~\\x80-\\xff]{1,500}");
    private static final Pattern NONE = Pattern.compile("");

    /// The extension that a parameter needs, and the syntax of its value.
    private record Kind(String extension, Pattern value) {}

    /// The parameters of RFC 1870, 6152, 6531 and 3461.
    private static final Map<String, Kind> OF_MAIL = Map.of(
            "SIZE", new Kind(EhloExtensions.SIZE, SIZE),
            "BODY", new Kind(EhloExtensions.EIGHT_BIT, BODY),
            "SMTPUTF8", new Kind(EhloExtensions.SMTPUTF8, NONE),
            "RET", new Kind(EhloExtensions.DSN, RET),
            "ENVID", new Kind(EhloExtensions.DSN, ENVID));

    private static final Map<String, Kind> OF_RCPT =
            Map.of("NOTIFY", new Kind(EhloExtensions.DSN, NOTIFY), "ORCPT", new Kind(EhloExtensions.DSN, ORCPT));

    static Parsed<List<EsmtpParameter>> ofMail(String rest, EhloExtensions offer) {
        return read(rest, offer, OF_MAIL);
    }

    static Parsed<List<EsmtpParameter>> ofRcpt(String rest, EhloExtensions offer) {
        return read(rest, offer, OF_RCPT);
    }

    /// @param rest the text after the path: empty, or a blank and parameters
    private static Parsed<List<EsmtpParameter>> read(String rest, EhloExtensions offer, Map<String, Kind> kinds) {
        List<EsmtpParameter> parameters = new ArrayList<>();
        Set<String> seen = new HashSet<>();
        if (!rest.isEmpty() && rest.charAt(0) != ' ') {
            return new Parsed.Refused<>(Replies.SYNTAX);
        }
        for (String text : TextScan.split(rest, c -> c == ' ')) {
            if (text.isEmpty()) {
                continue;
            }
            if (!SYNTAX.matcher(text).matches()) {
                return new Parsed.Refused<>(Replies.SYNTAX);
            }
            EsmtpParameter parameter = of(text);
            Kind kind = kinds.get(parameter.keyword);
            if (kind == null || !offer.extensions().contains(kind.extension)) {
                return new Parsed.Refused<>(Replies.UNKNOWN_PARAMETER);
            }
            if (!kind.value.matcher(parameter.value).matches() || !seen.add(parameter.keyword)) {
                return new Parsed.Refused<>(Replies.SYNTAX);
            }
            parameters.add(parameter);
        }
        return new Parsed.Valid<>(parameters);
    }

    private static EsmtpParameter of(String text) {
        int equals = text.indexOf('=');
        String keyword = equals < 0 ? text : text.substring(0, equals);
        return new EsmtpParameter(TextForms.upperCase(keyword), equals < 0 ? "" : text.substring(equals + 1), text);
    }
}
