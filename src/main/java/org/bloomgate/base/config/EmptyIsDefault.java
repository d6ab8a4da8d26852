package org.bloomgate.base.config;

import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;

/// A key whose empty value means its default, which depends on another key.
@Retention(RetentionPolicy.RUNTIME)
public @interface EmptyIsDefault {}
