/// What one message may cost, and the names of the limits, shared by the readers that reach them and the policy that
/// decides about them. Start with [Allowance][org.bloomgate.core.limit.Allowance].
@NullMarked
package org.bloomgate.core.limit;

import org.jspecify.annotations.NullMarked;
