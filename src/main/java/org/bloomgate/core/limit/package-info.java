/// The work and memory that one message may use, and the names of the limits, for the readers that reach them
/// and the policy that has an action for each. Start reading at
/// [Allowance][org.bloomgate.core.limit.Allowance].
@NullMarked
package org.bloomgate.core.limit;

import org.jspecify.annotations.NullMarked;
