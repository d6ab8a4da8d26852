package org.bloomgate.base.config;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Set;
import org.bloomgate.app.gateway.options.Configuration;
import org.bloomgate.core.key.Place;
import org.bloomgate.core.limit.Limit;
import org.bloomgate.decision.policy.MailboxPattern;
import org.bloomgate.decision.policy.PolicyOptions;
import org.bloomgate.decision.policy.PolicyOverrides;
import org.bloomgate.lists.fetch.Feeds;
import org.bloomgate.lookup.tier.Action;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class PolicyErrorsTest {
    @TempDir
    private Path folder;

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '~', textBlock = """
            listed: { lnk: tag }                                        | policy.listed: 'lnk' is none of
            listed: maybe                                               | policy.listed: 'maybe' is none of pass, tag
            categories: { tracking: discard }                           | policy.categories.tracking: 'discard' is none of
            onPartial: sometimes                                        | policy.onPartial: 'sometimes' is none of
            onPartial: { part: tag }                                    | policy.onPartial: 'part' is none of default,
            onNoSnapshot: discard                                       | policy.onNoSnapshot: at most defer
            recipients: { "@dest.example": { listed: tag } }            | policy.recipients: '@dest.example' is not a mailbox
            recipients: { "u@dest.example": {} }                        | policy.recipients.u@dest.example: empty override
            senders: { ".lists.example": {} }                           | policy.senders..lists.example: empty override
            recipients: { "u@dest.example": { subjectPrefix: x } }      | unknown key 'policy.recipients.u@dest.example.subjectPrefix'
            recipients: { "dest.example": { listed: { lnk: tag } } }    | policy.recipients.dest.example.listed: 'lnk' is none of
            recipients: { "dest.example": { listed: { default: x } } }  | policy.recipients.dest.example.listed: 'x' is none of
            recipients: { "dest.example": { onUnknown: { a: reject } } } | policy.recipients.dest.example.onUnknown.a: at most defer
            recipients: { "dest.example": { shadow: yes } }             | policy.recipients.dest.example.shadow: 'yes' is neither
            recipients: { a.example: { listed: tag }, A.example: { listed: pass } } | policy.recipients: 'A.example' appears twice
            replyText: ""                                               | policy.replyText: write one line
            replyText: "{who}"                                          | policy.replyText: only {token}
            """)
    void mistake_isOneErrorAtItsLine(String line, String message) throws Exception {
        Path file = write("policy:\n  shadow: false\n  " + line + "\n");
        List<ConfigError> errors =
                assertThrows(ConfigException.class, () -> read(file)).errors();
        assertEquals(1, errors.size(), errors::toString);
        assertTrue(errors.getFirst().message().startsWith(message), errors::toString);
        assertEquals(file + ":3", errors.getFirst().where());
    }

    @Test
    void emptyRule_isAnErrorAtItsLine() throws Exception {
        Path file = write("policy:\n  recipients:\n    a.example: { listed: tag }\n    b.example: {}\n");
        assertEquals(
                file + ":4",
                assertThrows(ConfigException.class, () -> read(file))
                        .errors()
                        .getFirst()
                        .where());
    }

    @Test
    void maps_overrideDefaultsAndOneActionAppliesToAll() throws Exception {
        PolicyOptions policy = read(write("""
                policy:
                  listed: { link: tag }
                  categories: { tracking: tag, "made up": quarantine }
                  onPartial: { depth: defer }
                  recipients:
                    "u@dest.example": { listed: tag, onPartial: pass, shadow: true }
                    lists.example: { listed: { default: pass, link: reject }, categories: { default: tag } }
                """)).policy();
        assertEquals(Action.TAG, policy.listed().get(Place.LINK));
        assertEquals(Action.REJECT, policy.listed().get(Place.ENVELOPE));
        assertEquals(Action.TAG, policy.categories().get("tracking"));
        assertEquals(Action.PASS, policy.categories().get("advertising"));
        assertEquals(Action.QUARANTINE, policy.categories().get("made up"));
        Map<Limit, Action> onPartial = new EnumMap<>(PolicyOptions.defaults().onPartial());
        onPartial.put(Limit.DEPTH, Action.DEFER);
        assertEquals(Action.PASS, onPartial.get(Limit.ENCRYPTED));
        assertEquals(onPartial, policy.onPartial());
        PolicyOverrides user = Objects.requireNonNull(policy.recipients().get(MailboxPattern.of("u@dest.example")));
        assertEquals(Set.of(Place.values()), user.listed().keySet());
        assertEquals(Set.of(Action.TAG), Set.copyOf(user.listed().values()));
        assertEquals(Set.of(Action.PASS), Set.copyOf(user.onPartial().values()));
        assertEquals(Limit.values().length, user.onPartial().size());
        assertEquals(Optional.of(true), user.shadow());
        PolicyOverrides lists = Objects.requireNonNull(policy.recipients().get(MailboxPattern.of("lists.example")));
        assertEquals(Action.REJECT, lists.listed().get(Place.LINK));
        assertEquals(Action.PASS, lists.listed().get(Place.ENVELOPE));
        assertEquals(Map.of("default", Action.TAG), lists.categories());
    }

    @Test
    void oneActionForAll_comesFromOptionOrVariable() throws Exception {
        Path file = write("policy: {}\n");
        PolicyOptions set = ConfigReader.read(
                        file, Map.of(), Map.of("policy.onPartial", "quarantine"), Configuration.defaults())
                .policy();
        assertEquals(Set.of(Action.QUARANTINE), Set.copyOf(set.onPartial().values()));
        PolicyOptions environment = ConfigReader.read(
                        file, Map.of("BLOOMGATE_POLICY_LISTED", "tag"), Map.of(), Configuration.defaults())
                .policy();
        assertEquals(Set.of(Action.TAG), Set.copyOf(environment.listed().values()));
    }

    @Test
    void explicitSettings_haveLineAndValue() throws Exception {
        Path file = write("policy:\n  listed:\n    link: tag\n");
        assertEquals(
                List.of(
                        new ExplicitSetting("policy.listed.link", file + ":3", "tag"),
                        new ExplicitSetting("policy.shadow", "--set policy.shadow", "true")),
                ConfigReader.explicitSettings(
                        file, Map.of(), Map.of("policy.shadow", "true"), Configuration.defaults()));
    }

    @Test
    void feed_limitsTheAction() throws Exception {
        Feeds feeds = ConfigReader.read(write("""
                feeds:
                  - { name: a, source: a.txt, action: tag }
                  - { name: b, source: b.txt, shadow: true }
                  - { name: c, source: c.txt, action: "" }
                """), Feeds.defaults());
        assertEquals(Optional.of(Action.TAG), feeds.feeds().get(0).effect().action());
        assertTrue(feeds.feeds().get(1).effect().shadow());
        assertEquals(Optional.empty(), feeds.feeds().get(2).effect().action());
        Path wrong = write("feeds:\n  - { name: a, source: a.txt,\n      action: discard }\n");
        ConfigError error = assertThrows(ConfigException.class, () -> ConfigReader.read(wrong, Feeds.defaults()))
                .errors()
                .getFirst();
        assertEquals(wrong + ":3", error.where());
    }

    private Path write(String text) throws Exception {
        return Files.writeString(folder.resolve("bloomgate.yaml"), text);
    }

    private static Configuration read(Path file) throws ConfigException {
        return ConfigReader.read(file, Map.of(), Map.of(), Configuration.defaults());
    }
}
