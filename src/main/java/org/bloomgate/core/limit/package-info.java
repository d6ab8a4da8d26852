/// The names of the limits of an inspection, shared by the readers that reach them and the policy that decides about
/// them. Start with [Limit][org.bloomgate.core.limit.Limit].
@NullMarked
package org.bloomgate.core.limit;

import org.jspecify.annotations.NullMarked;
