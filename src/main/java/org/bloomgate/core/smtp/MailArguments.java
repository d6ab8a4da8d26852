package org.bloomgate.core.smtp;

import java.math.BigInteger;
import java.util.List;
import java.util.Optional;

/// The arguments of MAIL.
///
/// @param forwarded the arguments of MAIL for the next hop: the same path, the same parameters
public record MailArguments(MailPath sender, boolean smtpUtf8, String forwarded) {
    private static final String FROM = "FROM:";

    /// Parses the arguments.
    ///
    /// @param arguments the text after `MAIL `, one byte a character
    public static Parsed<MailArguments> parse(String arguments, EhloExtensions offer) {
        Optional<PathReader.ParsedPath> parsedPath = PathReader.after(FROM, arguments);
        if (parsedPath.filter(MailArguments::mayBeSender).isEmpty()) {
            return new Parsed.Refused<>(Replies.SYNTAX);
        }
        String rest = arguments.substring(parsedPath.get().end());
        return switch (EsmtpParameter.ofMail(rest, offer)) {
            case Parsed.Refused<List<EsmtpParameter>>(Reply reply) -> new Parsed.Refused<>(reply);
            case Parsed.Valid<List<EsmtpParameter>>(List<EsmtpParameter> parameters) ->
                of(parsedPath.get().path(), parameters, offer);
        };
    }

    /// Whether the path may be a sender: only a forward-path may have no domain.
    private static boolean mayBeSender(PathReader.ParsedPath parsedPath) {
        return parsedPath.path().isNull() || !parsedPath.path().domain().isEmpty();
    }

    private static Parsed<MailArguments> of(MailPath sender, List<EsmtpParameter> parameters, EhloExtensions offer) {
        StringBuilder forwarded = new StringBuilder(FROM).append(sender);
        BigInteger size = BigInteger.ZERO;
        boolean smtpUtf8 = false;
        for (EsmtpParameter parameter : parameters) {
            boolean isSize = parameter.keyword().equals(EhloExtensions.SIZE);
            size = isSize ? new BigInteger(parameter.value()) : size;
            smtpUtf8 |= parameter.keyword().equals(EhloExtensions.SMTPUTF8);
            if (!isSize || offer.sizePasses()) {
                forwarded.append(' ').append(parameter.text());
            }
        }
        if (size.compareTo(BigInteger.valueOf(offer.maxBytes())) > 0) {
            return new Parsed.Refused<>(Replies.TOO_LARGE);
        }
        return smtpUtf8 || sender.isAscii()
                ? new Parsed.Valid<>(new MailArguments(sender, smtpUtf8, forwarded.toString()))
                : new Parsed.Refused<>(Replies.NON_ASCII_ADDRESS);
    }
}
