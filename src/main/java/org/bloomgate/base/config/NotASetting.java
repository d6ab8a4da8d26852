package org.bloomgate.base.config;

import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/// On a component of an option record that configuration files cannot set: it always has its default, because no
/// site needs another value. Tests construct the record with other values.
@Retention(RetentionPolicy.RUNTIME)
@Target({ElementType.RECORD_COMPONENT, ElementType.FIELD})
public @interface NotASetting {}
