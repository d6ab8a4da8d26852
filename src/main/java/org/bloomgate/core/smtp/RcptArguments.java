package org.bloomgate.core.smtp;

import java.util.List;
import java.util.Optional;

/// The arguments of RCPT.
///
/// @param forwarded the arguments of RCPT for the next hop: the same path, the same parameters
public record RcptArguments(MailPath recipient, String forwarded) {
    private static final String TO = "TO:";

    /// Parses the arguments.
    ///
    /// @param arguments the text after `RCPT `, one byte a character
    /// @param smtpUtf8 whether MAIL had the parameter of that name
    public static Parsed<RcptArguments> parse(String arguments, EhloExtensions offer, boolean smtpUtf8) {
        Optional<PathReader.ParsedPath> parsedPath = PathReader.after(TO, arguments);
        if (parsedPath.isEmpty() || parsedPath.get().path().isNull()) {
            return new Parsed.Refused<>(Replies.SYNTAX);
        }
        MailPath recipient = parsedPath.get().path();
        if (!smtpUtf8 && !recipient.isAscii()) {
            return new Parsed.Refused<>(Replies.NON_ASCII_ADDRESS);
        }
        String rest = arguments.substring(parsedPath.get().end());
        return switch (EsmtpParameter.ofRcpt(rest, offer)) {
            case Parsed.Refused<List<EsmtpParameter>>(Reply reply) -> new Parsed.Refused<>(reply);
            case Parsed.Valid<List<EsmtpParameter>>(List<EsmtpParameter> parameters) ->
                new Parsed.Valid<>(new RcptArguments(recipient, forward(recipient, parameters)));
        };
    }

    private static String forward(MailPath recipient, List<EsmtpParameter> parameters) {
        StringBuilder forwarded = new StringBuilder(TO).append(recipient);
        parameters.forEach(parameter -> forwarded.append(' ').append(parameter.text()));
        return forwarded.toString();
    }
}
