/// The filters of Bloomgate in another program. Start reading at [Filter].
@NullMarked
package org.bloomgate.filter;

import org.jspecify.annotations.NullMarked;
