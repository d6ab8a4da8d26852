package org.bloomgate.judge;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.ByteArrayInputStream;
import java.io.IOException;
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
import org.bloomgate.http.SmallLayer;
import org.bloomgate.key.KeyKind;
import org.bloomgate.lookup.LayerSource;
import org.bloomgate.lookup.LookupCounts;
import org.bloomgate.lookup.TwoTierLookup;
import org.bloomgate.message.MessageReader;
import org.bloomgate.policy.Action;
import org.bloomgate.policy.DifferingRecipients;
import org.bloomgate.policy.MailboxPattern;
import org.bloomgate.policy.OverridesFor;
import org.bloomgate.policy.Policy;
import org.bloomgate.policy.PolicyOptions;
import org.bloomgate.policy.PolicyOverrides;
import org.bloomgate.text.MessageLimits;
import org.junit.jupiter.api.Test;

/// Mails to recipients of every mixture of rules, sent by clients that do as they are told and by ones that do not.
class RecipientsTest {
    private static final String LISTED = "From: a@sender.example\r\n\r\nsee https://www.evil.example/login\r\n";
    private static final String CLEAN = "From: a@sender.example\r\n\r\nsee https://www.good.example/\r\n";

    /// What the rule of a recipient at `ACTION.example` says.
    private static final List<Action> RULES = List.of(Action.values());

    private final Random random = new Random(7);
    private final LayerSource layers =
            new SmallLayer().lists(KeyKind.DOMAIN, "evil.example").inForce();

    private static MessageJudge judge(DifferingRecipients differing) {
        Map<MailboxPattern, PolicyOverrides> rules = new HashMap<>();
        RULES.forEach(
                action -> rules.put(MailboxPattern.of(action.label() + ".example"), OverridesFor.everyPlace(action)));
        rules.put(MailboxPattern.of("shadow.example"), OverridesFor.shadow(true));
        PolicyOptions options = RecordCopy.with(
                RecordCopy.with(PolicyOptions.defaults(), "recipients", rules), "differingRecipients", differing);
        return new MessageJudge(
                new TwoTierLookup(Duration.ofSeconds(1), new LookupCounts()),
                new Policy(options, Map.of()),
                new MessageReader(MessageLimits.defaults()),
                Duration.ofDays(36_500),
                InstantSource.fixed(Instant.EPOCH));
    }

    /// What became of one attempt.
    private record Attempt(List<String> taken, List<String> apart, Ruled ruled) {}

    private Attempt attempt(MessageJudge judge, String message, List<String> recipients) throws IOException {
        try (Hearing hearing = judge.open(layers.lease(), Caller.UNKNOWN)) {
            hearing.sender("s@from.example");
            List<String> taken = new ArrayList<>();
            List<String> apart = new ArrayList<>();
            for (String recipient : recipients) {
                if (hearing.goesApart(recipient)) {
                    apart.add(recipient);
                } else {
                    hearing.recipient(recipient);
                    taken.add(recipient);
                }
            }
            hearing.read(new ByteArrayInputStream(message.getBytes(StandardCharsets.US_ASCII)));
            hearing.ask();
            return new Attempt(taken, apart, hearing.rule());
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
    void cleanMailToAnyMixtureIsTakenByAllAtOnce() throws IOException {
        MessageJudge judge = judge(DifferingRecipients.DEFER);
        Set<String> mixes = new HashSet<>();
        for (int i = 0; i < 300; i++) {
            List<String> mix = new ArrayList<>(mix());
            mix.add("postmaster@dest.example");
            Collections.shuffle(mix, random);
            Attempt done = attempt(judge, CLEAN, mix);
            assertEquals(List.of(), done.apart());
            assertEquals(Action.PASS, done.ruled().enforced());
            assertEquals(Parting.NONE, done.ruled().parting());
            mixes.add(mix.toString());
        }
        assertTrue(mixes.size() > 100, mixes.size() + " mixtures");
        assertTrue(judge.parted().isEmpty());
    }

    @Test
    void everyRecipientGetsWhatItsRuleSaysOfAClientThatSendsApart() throws IOException {
        for (int i = 0; i < 500; i++) {
            MessageJudge judge = judge(DifferingRecipients.DEFER);
            List<String> waiting = mix();
            Map<String, Integer> putOff = new HashMap<>();
            for (int attempt = 0; !waiting.isEmpty(); attempt++) {
                assertTrue(attempt < 12, "it comes to an end");
                Attempt done = attempt(judge, LISTED, waiting);
                done.apart().forEach(one -> putOff.merge(one, 1, Integer::sum));
                waiting = settled(done, putOff) ? done.apart() : waiting;
            }
            putOff.forEach((recipient, times) -> assertTrue(times <= 2, recipient + " " + times));
        }
    }

    @Test
    void aClientThatAlwaysComesWithAllIsPutOffTwiceAtMost() throws IOException {
        for (int i = 0; i < 500; i++) {
            MessageJudge judge = judge(DifferingRecipients.DEFER);
            List<String> mix = mix();
            int temporary = 0;
            Map<String, Integer> putOff = new HashMap<>();
            Attempt done = attempt(judge, LISTED, mix);
            while (!done.apart().isEmpty() || !settled(done, putOff)) {
                assertTrue(++temporary <= 2, () -> mix + " is put off for ever");
                done = attempt(judge, LISTED, mix);
            }
        }
    }

    /// False when the whole attempt was put off.
    private static boolean settled(Attempt done, Map<String, Integer> putOff) {
        switch (done.ruled().parting()) {
            case Parting.Later _ -> {
                done.taken().forEach(one -> putOff.merge(one, 1, Integer::sum));
                return false;
            }
            case Parting.Together _ -> done.taken().forEach(one -> together(one, done));
            case Parting.Apart apart -> {
                for (int i = 0; i < done.taken().size(); i++) {
                    Action alone = alone(done.taken().get(i));
                    boolean refuses = alone.compareTo(Action.TAG) > 0 && alone != Action.DISCARD;
                    assertEquals(
                            alone.compareTo(Action.TAG) <= 0, apart.delivered().contains(i));
                    assertEquals(refuses, apart.kept().contains(i));
                }
            }
        }
        return true;
    }

    /// Who passes may share a tag with who is tagged; nobody else shares anything.
    private static void together(String recipient, Attempt done) {
        Action alone = alone(recipient);
        Action enforced = done.ruled().enforced();
        assertTrue(
                alone == enforced || (alone == Action.PASS && enforced == Action.TAG),
                () -> recipient + " in " + done.taken() + ": " + enforced);
    }

    @Test
    void withTagTheMildestHoldsForAllAndNobodyIsPutOff() throws IOException {
        MessageJudge judge = judge(DifferingRecipients.TAG);
        for (int i = 0; i < 300; i++) {
            List<String> mix = mix();
            Attempt done = attempt(judge, LISTED, mix);
            assertEquals(Parting.NONE, done.ruled().parting());
            Set<Action> alone =
                    new HashSet<>(mix.stream().map(RecipientsTest::alone).toList());
            Action mildest = Collections.min(alone);
            Action expected = alone.size() > 1 && mildest == Action.PASS ? Action.TAG : mildest;
            assertEquals(expected, done.ruled().enforced(), mix::toString);
        }
    }
}
