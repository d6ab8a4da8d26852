package org.bloomgate.decision.reports;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;
import org.bloomgate.content.links.MessageSummary;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.content.mime.ReportParts;
import org.bloomgate.core.key.Identifier;
import org.bloomgate.core.key.Key;
import org.bloomgate.core.key.KeyBatch;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.key.MailAddress;
import org.bloomgate.core.key.PublicSuffixes;
import org.bloomgate.core.smtp.LineEnds;
import org.bloomgate.core.text.TextForms;
import org.bloomgate.decision.authentication.DkimHeader;
import org.bloomgate.decision.journal.Decision;
import org.bloomgate.decision.reports.Originals.Original;

/// Reads which messages a report is about: attached ones; without any, the one that its text quotes; without a quote,
/// the links of the text itself. Thread-safe.
///
/// @param siteDomains whose names are not offered, like those of the reporter
public record ReportReader(
        MessageReader reader, Supplier<PublicSuffixes> suffixes, Originals originals, Set<String> siteDomains) {
    private static final Set<KeyKind> KINDS = EnumSet.allOf(KeyKind.class);

    /// What a message contains.
    ///
    /// @param places of the identifiers, for a person
    private record Content(DkimHeader header, MessageSummary heading, Map<Key, String> places) {}

    /// Returns the reported messages: none if a program sent the report (RFC 3834), or a provider sent something
    /// other than a feedback report.
    ///
    /// @param header of the report
    /// @throws IOException only if the source fails
    List<ReportedMessage> read(DkimHeader header, InputStream report, Reporter reporter) throws IOException {
        Instant end = originals.clock().instant().plus(Originals.REPORT_TIMEOUT);
        ReportParts parts = ReportParts.read(report);
        boolean isProvider = reporter.mailbox().isEmpty();
        boolean isAutomatic = header.fields("auto-submitted").stream()
                .anyMatch(field -> !TextForms.lowerCase(field.value()).strip().startsWith("no"));
        List<ReportedMessage> messages = new ArrayList<>();
        if (isProvider ? parts.isFeedback() : !isAutomatic) {
            for (byte[] message : parts.messages()) {
                Content content = readContent(message);
                Optional<Original> original = findOriginal(content, content, reporter, end);
                messages.add(create(content, content.places(), original, reporter));
            }
            if (messages.isEmpty() && !isProvider) {
                messages.add(readTexts(header, parts.texts(), reporter, end));
            }
        }
        return messages;
    }

    /// Reads texts that may quote a message. If the original is found, its identifiers are offered, otherwise all but
    /// those of the signature of the reporter.
    private ReportedMessage readTexts(DkimHeader header, List<String> texts, Reporter reporter, Instant end)
            throws IOException {
        List<Quote> quotes =
                texts.stream().map(text -> Quote.find(text, reporter.mailbox())).toList();
        String head = "From: "
                + quotes.stream()
                        .map(Quote::from)
                        .filter(from -> !from.isEmpty())
                        .findFirst()
                        .orElse("")
                + "\r\nSubject:"
                + header.fields("subject").stream()
                        .map(DkimHeader.Field::value)
                        .findFirst()
                        .orElse("")
                + "\r\nContent-Type: text/plain; charset=utf-8\r\n\r\n";
        String all = quotes.stream().map(Quote::text).collect(Collectors.joining("\n"));
        String own = quotes.stream().map(Quote::withoutSignature).collect(Collectors.joining("\n"));
        Content whole = readContent((head + all).getBytes(StandardCharsets.UTF_8));
        Content offered = readContent((head + own).getBytes(StandardCharsets.UTF_8));
        Optional<Original> original = findOriginal(whole, offered, reporter, end);
        Map<Key, String> places = new LinkedHashMap<>(original.isPresent() ? whole.places() : offered.places());
        original.ifPresent(found -> places.keySet().retainAll(found.keys()));
        return create(whole, places, original, reporter);
    }

    private Optional<Original> findOriginal(Content whole, Content offered, Reporter reporter, Instant end) {
        int minKeys = Math.max(1, (offered.places().size() + 1) / 2);
        return originals.find(whole.header(), whole.places().keySet(), minKeys, reporter.mailbox(), end);
    }

    private ReportedMessage create(
            Content content, Map<Key, String> places, Optional<Original> original, Reporter reporter) {
        List<ReportedIdentifier> identifiers = new ArrayList<>();
        places.forEach((key, place) ->
                identifiers.add(new ReportedIdentifier(key, place, findObjection(key, original, reporter))));
        // Identifiers beyond the bound are left out, so that many URLs must not come before a host.
        identifiers.sort(
                Comparator.comparing((ReportedIdentifier one) -> one.objection().isPresent())
                        .thenComparing(one -> one.key().kind() == KeyKind.URL));
        Optional<Decision> decision = original.map(Original::decision);
        return new ReportedMessage(
                content.heading().subject(),
                content.heading().from(),
                content.heading().messageId().replace("<", "").replace(">", ""),
                original.filter(found -> !found.keys().isEmpty())
                        .map(found -> found.decision().token()),
                decision.map(Decision::time)
                        .or(() -> content.header().fields("date").stream()
                                .flatMap(field -> Originals.parseDate(field.value()).stream())
                                .findFirst()),
                decision.map(found -> found.envelope().recipients()).orElse(List.of()),
                identifiers);
    }

    private Optional<String> findObjection(Key key, Optional<Original> original, Reporter reporter) {
        String reporterDomain = MailAddress.domainOf(reporter.mailbox());
        boolean isOwn = key.around().stream()
                .anyMatch(around -> around.kind() == KeyKind.DOMAIN
                        && (around.text().equals(reporterDomain) || siteDomains.contains(around.text())));
        if (isOwn) {
            return Optional.of("of a domain of the site or the reporter");
        }
        return original.filter(found -> !found.keys().isEmpty() && !found.keys().contains(key))
                .map(_ -> "not in the message that was delivered");
    }

    private Content readContent(byte[] message) throws IOException {
        KeyBatch batch = reader.takeBatch();
        try (InputStream head = LineEnds.normalised(new ByteArrayInputStream(message));
                InputStream whole = new ByteArrayInputStream(message)) {
            MessageSummary heading = reader.read(whole, suffixes.get(), KINDS, batch, reader.createAllowance())
                    .heading();
            Map<Key, String> places = new LinkedHashMap<>();
            for (int i = 0; i < batch.size(); i++) {
                String place = describe(batch.identifier(i));
                if (!place.isEmpty() && batch.itself(i)) {
                    Key key = batch.key(i);
                    key.kind()
                            .rules()
                            .host(key.text())
                            .ifPresent(host -> note(places, new Key(KeyKind.DOMAIN, host), place));
                    note(places, key, place);
                }
            }
            return new Content(DkimHeader.read(head), heading, places);
        } finally {
            reader.giveBack(batch);
        }
    }

    private static void note(Map<Key, String> places, Key key, String place) {
        places.merge(key, place, (before, after) -> before.equals(ReportedIdentifier.SENDER) ? after : before);
    }

    /// The place for a person; empty for an identifier that is not offered.
    private static String describe(Identifier identifier) {
        return switch (identifier.place()) {
            case ORIGINATOR -> ReportedIdentifier.SENDER;
            case LINK, TEXT, PDF, QR, SCHEMELESS, SCRIPT, SCRIPT_ATTACHMENT -> "link";
            case ATTACHMENT -> "attachment";
            case PHONE -> "phone";
            case CLIENT, HELO, ENVELOPE, RAW, UNKNOWN_TARGET, RECEIVED, MESSAGE_ID, DKIM, CONTENT -> "";
        };
    }
}
