package org.bloomgate.decision.evaluation;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.stream.IntStream;
import org.bloomgate.RecordCopy;
import org.bloomgate.content.mime.MessageReader;
import org.bloomgate.core.key.KeyKind;
import org.bloomgate.core.limit.MessageLimits;
import org.bloomgate.decision.policy.MailboxPattern;
import org.bloomgate.decision.policy.OverridesFor;
import org.bloomgate.decision.policy.Policy;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.lookup.tier.Action;
import org.bloomgate.lookup.tier.LayerSource;
import org.bloomgate.lookup.tier.LookupCounts;
import org.bloomgate.lookup.tier.TwoTierLookup;
import org.bloomgate.server.api.SmallLayer;
import org.junit.jupiter.api.Test;

/// Messages to recipients of every mixture of rules, sent by clients that do as they are told and by ones that
/// do not.
class RecipientsTest {
    private static final String LISTED = "From: a@sender.example\r\n\r\nsee https://www.evil.example/login\r\n";
    private static final String CLEAN = "From: a@sender.example\r\n\r\nsee https://www.good.example/\r\n";

    /// What the rule of a recipient at `ACTION.example` says.
    private static final List<Action> RULES = List.of(Action.values());

    private final Random random = new Random(7);
    private final LayerSource layers =
            new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce();

    private static MessageEvaluator evaluator() {
        Map<MailboxPattern, PolicyOverrides> rules = new HashMap<>();
        RULES.forEach(
                action -> rules.put(MailboxPattern.of(action.label() + ".example"), OverridesFor.everyPlace(action)));
        rules.put(MailboxPattern.of("shadow.example"), OverridesFor.shadow(true));
        PolicyOptions options = RecordCopy.with(PolicyOptions.defaults(), "recipients", rules);
        return EvaluationRig.evaluator(
                new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts()),
                new Policy(options, Map.of()),
                new MessageReader(MessageLimits.defaults()),
                Duration.ofDays(36_500),
                InstantSource.fixed(Instant.EPOCH));
    }

    private MessageDecision decision(String message, List<String> recipients) throws IOException {
        try (MessageEvaluation evaluation = evaluator().open(layers.lease(), ConnectingClient.UNKNOWN)) {
            evaluation.mailFrom("s@from.example");
            recipients.forEach(evaluation::rcptTo);
            evaluation.message(() -> new ByteArrayInputStream(message.getBytes(StandardCharsets.US_ASCII)), 0);
            evaluation.lookUp();
            return evaluation.decide(InputStream::nullInputStream);
        }
    }

    /// What the rule of a recipient alone does.
    private static Action alone(String recipient) {
        String word = recipient.substring(recipient.indexOf('@') + 1, recipient.indexOf('.'));
        return word.equals("shadow") ? Action.PASS : Action.valueOf(word.toUpperCase(Locale.ROOT));
    }

    private List<String> mix() {
        List<String> domains = new ArrayList<>(
                RULES.stream().map(action -> "@" + action.label() + ".example").toList());
        domains.add("@shadow.example");
        int count = 1 + random.nextInt(5);
        return IntStream.range(0, count)
                .mapToObj(i -> "u" + i + domains.get(random.nextInt(domains.size())))
                .toList();
    }

    @Test
    void cleanMessage_isDeliveredToAnyMixture() throws IOException {
        Set<String> mixes = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            List<String> mix = new ArrayList<>(mix());
            mix.add("postmaster@dest.example");
            Collections.shuffle(mix, random);
            MessageDecision decision = decision(CLEAN, mix);
            assertEquals(Action.PASS, decision.enforced());
            assertEquals(RecipientSplit.NONE, decision.split());
            mixes.add(mix.toString());
        }
        assertTrue(mixes.size() > 100, mixes.size() + " mixtures");
    }

    @Test
    void listedMessage_isSettledForEachRecipientByItsRule() throws IOException {
        for (int i = 0; i < 1_000; i++) {
            List<String> mix = mix();
            MessageDecision decision = decision(LISTED, mix);
            switch (decision.split()) {
                case RecipientSplit.Together _ ->
                    mix.forEach(recipient -> together(recipient, mix, decision.enforced()));
                case RecipientSplit.Apart apart -> {
                    for (int one = 0; one < mix.size(); one++) {
                        Action alone = alone(mix.get(one));
                        boolean refuses = alone.compareTo(Action.TAG) > 0 && alone != Action.DISCARD;
                        assertEquals(
                                alone.compareTo(Action.TAG) <= 0,
                                apart.delivered().contains(one));
                        assertEquals(refuses, apart.kept().contains(one));
                    }
                }
            }
        }
    }

    /// A recipient whose rule passes may share a tag with one whose rule tags; others share nothing.
    private static void together(String recipient, List<String> mix, Action enforced) {
        Action alone = alone(recipient);
        assertTrue(
                alone == enforced || (alone == Action.PASS && enforced == Action.TAG),
                () -> recipient + " in " + mix + ": " + enforced);
    }
}
