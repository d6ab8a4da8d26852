package org.bloomgate.lookup.remote;

import com.github.benmanes.caffeine.cache.Cache;
import com.github.benmanes.caffeine.cache.Caffeine;
import com.github.benmanes.caffeine.cache.Expiry;
import com.github.benmanes.caffeine.cache.Ticker;
import java.util.Optional;
import org.bloomgate.core.key.Key;
import org.bloomgate.lookup.tier.ExactAnswer;

/// Answers of a remote tier about keys of one snapshot. Bounded in entries and time; thread-safe.
///
/// [ExactAnswer.Unknown] is never cached.
final class AnswerCache {
    private final Cache<Key, ExactAnswer> answers;

    AnswerCache(CacheOptions options, Ticker ticker) {
        answers = Caffeine.newBuilder()
                .maximumSize(options.entries())
                .expireAfter(Expiry.creating((Key key, ExactAnswer answer) ->
                        answer instanceof ExactAnswer.Listed ? options.positive() : options.negative()))
                .ticker(ticker)
                .executor(Runnable::run)
                .build();
    }

    Optional<ExactAnswer> get(Key key) {
        return Optional.ofNullable(answers.getIfPresent(key));
    }

    void put(Key key, ExactAnswer answer) {
        switch (answer) {
            case ExactAnswer.Listed listed -> answers.put(key, listed);
            case ExactAnswer.NotListed notListed -> answers.put(key, notListed);
            case ExactAnswer.Unknown _ -> {}
        }
    }

    void clear() {
        answers.invalidateAll();
    }
}
