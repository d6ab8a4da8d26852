/// The catalogue of public lists that ships with the product: publisher, licence and feed settings of each.
///
/// Data only: nothing is fetched or resolved. Start reading at [Catalogue].
@NullMarked
package org.bloomgate.lists.catalogue;

import org.jspecify.annotations.NullMarked;
