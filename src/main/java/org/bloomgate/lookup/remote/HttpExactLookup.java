package org.bloomgate.lookup.remote;

import java.io.InputStream;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse.ResponseInfo;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.tier.ExactAnswer;
import org.bloomgate.lookup.tier.ExactLookup;
import org.bloomgate.lookup.tier.Listing;
import org.bloomgate.lookup.tier.UnknownReason;

/// One layer of lookup services, queried by `POST /v1/lookup`. Thread-safe.
///
/// "Not listed" is accepted from a service whose generation of the layer is not older than that of the filter:
/// ids of generations sort by time. From an older generation it is [UnknownReason#BEHIND].
public final class HttpExactLookup implements ExactLookup {
    /// The most keys of one request, below the default limit of a service.
    static final int MAX_ITEMS = 100;

    /// The most characters of the keys of one request, below the default limit of a service for its body.
    static final int MAX_CHARACTERS = 64 * 1024;

    /// The basic size of an answer, enough for a few hundred listings of one key, or a few for each of many keys.
    private static final long MAX_ANSWER_BYTES = 64 * 1024;

    private static final long MAX_ANSWER_BYTES_A_KEY = 2 * 1024;
    private static final Pattern GENERATION = Pattern.compile("\\d{8}T\\d{6}Z-[0-9a-f]{4}");

    private final FailoverClient services;
    private final String layer;
    private final String generation;

    /// @param services shared by all layers, and not closed with this object
    /// @param generation of the filter
    public HttpExactLookup(FailoverClient services, String layer, String generation) {
        this.services = services;
        this.layer = layer;
        this.generation = generation;
    }

    @Override
    public List<ExactAnswer> lookup(List<Key> keys, Duration timeout) {
        long deadline = System.nanoTime() + timeout.toNanos();
        List<ExactAnswer> answers = new ArrayList<>(keys.size());
        while (answers.size() < keys.size()) {
            List<Key> requestKeys = keys.subList(answers.size(), findRequestEnd(keys, answers.size()));
            answers.addAll(query(requestKeys, Duration.ofNanos(deadline - System.nanoTime())));
        }
        return answers;
    }

    /// Returns the end of the request that begins at `start`.
    private static int findRequestEnd(List<Key> keys, int start) {
        int end = start;
        int characters = 0;
        while (end < keys.size() && end - start < MAX_ITEMS && (end == start || characters < MAX_CHARACTERS)) {
            characters += keys.get(end++).text().length();
        }
        return end;
    }

    private List<ExactAnswer> query(List<Key> keys, Duration remaining) {
        long maxBytes = MAX_ANSWER_BYTES + MAX_ANSWER_BYTES_A_KEY * keys.size();
        HttpRequest.Builder request = HttpRequest.newBuilder()
                .header("Accept", "application/json")
                .header("Content-Type", "application/json")
                .POST(BodyPublishers.ofByteArray(LookupJson.writeRequest(layer, keys)));
        return switch (services.query(
                LookupQuestion.PATH, request, HttpExactLookup::checkStatus, maxBytes, remaining)) {
            case FailoverClient.Result.Body(InputStream bytes) ->
                parseAnswers(bytes, keys).orElseGet(() -> repeatReason(keys, UnknownReason.BAD_ANSWER));
            case FailoverClient.Result.Failure(UnknownReason reason) -> repeatReason(keys, reason);
        };
    }

    private static Optional<UnknownReason> checkStatus(ResponseInfo head) {
        return head.statusCode() == 200 ? Optional.empty() : Optional.of(UnknownReason.BAD_STATUS);
    }

    private static List<ExactAnswer> repeatReason(List<Key> keys, UnknownReason reason) {
        return Collections.nCopies(keys.size(), reason.answer());
    }

    /// Parses an answer; empty if it is malformed.
    private Optional<List<ExactAnswer>> parseAnswers(InputStream bytes, List<Key> keys) {
        Optional<LookupReply> reply =
                LookupJson.parseReply(bytes).filter(whole -> whole.answers().size() == keys.size());
        if (reply.isEmpty()) {
            return Optional.empty();
        }
        try {
            Optional<String> serviceGeneration =
                    Optional.ofNullable(reply.get().layers().get(layer));
            List<ExactAnswer> answers = new ArrayList<>(keys.size());
            for (int i = 0; i < keys.size(); i++) {
                answers.add(toExactAnswer(keys.get(i), reply.get().answers().get(i), serviceGeneration));
            }
            return Optional.of(answers);
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private ExactAnswer toExactAnswer(Key key, LookupReply.KeyAnswer keyAnswer, Optional<String> serviceGeneration) {
        List<Listing> listings = keyAnswer.listings().orElse(List.of()).stream()
                .map(statement -> statement.toListing(key))
                .toList();
        boolean isListed = keyAnswer.answer().equals(LookupReply.LISTED);
        if (isListed == listings.isEmpty()) {
            throw new IllegalArgumentException("listings of " + keyAnswer.answer());
        }
        return switch (keyAnswer.answer()) {
            case LookupReply.LISTED -> {
                String _ = requireGeneration(serviceGeneration);
                yield new ExactAnswer.Listed(listings);
            }
            case LookupReply.NOT_LISTED -> compareGenerations(requireGeneration(serviceGeneration), generation);
            case LookupReply.UNKNOWN ->
                (serviceGeneration.isEmpty() ? UnknownReason.NO_LAYER : UnknownReason.UNKNOWN_THERE).answer();
            default -> throw new IllegalArgumentException(keyAnswer.answer());
        };
    }

    /// @param filterGeneration generation of the filter
    static ExactAnswer compareGenerations(String serviceGeneration, String filterGeneration) {
        return serviceGeneration.compareTo(filterGeneration) < 0
                ? UnknownReason.BEHIND.answer()
                : new ExactAnswer.NotListed();
    }

    /// A service that answers for a layer states its generation.
    static String requireGeneration(Optional<String> serviceGeneration) {
        return serviceGeneration
                .filter(id -> GENERATION.matcher(id).matches())
                .orElseThrow(() -> new IllegalArgumentException("generation"));
    }

    @Override
    public void close() {}
}
