package org.bloomgate.lists.format;

import com.fasterxml.jackson.core.JsonParser;
import java.io.IOException;
import java.util.OptionalLong;
import org.bloomgate.lists.fetch.Feed;
import org.bloomgate.lists.fetch.FeedRefusedException;

/// The last object of Spamhaus DROP as JSON lines: `{"type":"metadata",..,"records":N}`. A truncated list, or a
/// mixture of two, has another number of records.
final class DropMetadata {
    private boolean isMetadata;
    private OptionalLong records = OptionalLong.empty();

    /// @param parser at the name of a member of an outermost object; is left at its value
    void readMember(String name, JsonParser parser) throws IOException {
        if (name.equals("type") && parser.currentToken().isScalarValue()) {
            isMetadata = parser.getText().equals("metadata");
        } else if (name.equals("records") && parser.currentToken().isNumeric()) {
            records = OptionalLong.of(parser.getLongValue());
        }
    }

    /// @param values that were read
    void compare(Feed feed, long values) throws FeedRefusedException {
        if (isMetadata && records.isPresent() && records.getAsLong() != values) {
            throw new FeedRefusedException(
                    feed, "says that it has " + records.getAsLong() + " records and has " + values);
        }
    }
}
