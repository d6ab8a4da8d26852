package org.bloomgate.lists.snapshot;

import java.time.Instant;

/// What is wrong with a part of the program at present, for example a snapshot that was not adopted.
///
/// @param subject the layer, or a name such as `folder journal.directory`
/// @param generation of the layer; empty if the subject is not a layer, and if its pointer is unreadable
/// @param since when it began
public record Condition(String subject, String generation, String reason, Instant since) {}
