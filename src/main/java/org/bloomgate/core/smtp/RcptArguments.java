package org.bloomgate.core.smtp;

import java.util.List;
import java.util.Optional;

/// The arguments of RCPT.
///
/// @param forwarded what the next hop gets after `RCPT `: the same path, the same parameters
public record RcptArguments(MailPath recipient, String forwarded) {
    private static final String TO = "TO:";

    /// @param arguments what followed `RCPT `, one byte a character
    /// @param smtpUtf8 true when MAIL had the parameter of that name
    public static Parsed<RcptArguments> parse(String arguments, EhloExtensions offer, boolean smtpUtf8) {
        Optional<PathReader.Found> found = PathReader.after(TO, arguments);
        if (found.isEmpty() || found.get().path().isNull()) {
            return new Parsed.Refused<>(Replies.SYNTAX);
        }
        MailPath recipient = found.get().path();
        if (!smtpUtf8 && !recipient.isAscii()) {
            return new Parsed.Refused<>(Replies.NON_ASCII_ADDRESS);
        }
        String rest = arguments.substring(found.get().end());
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
