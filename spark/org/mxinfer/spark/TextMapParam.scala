package org.mxinfer.spark

import com.fasterxml.jackson.databind.ObjectMapper
import org.apache.spark.ml.param.{Param, ParamPair, Params}
import scala.collection.JavaConverters._

/** A parameter that maps names to texts. It is saved as a JSON object. */
final class TextMapParam(parent: Params, name: String, doc: String)
    extends Param[Map[String, String]](parent.uid, name, doc) {

  /** For Java. */
  def w(value: java.util.Map[String, String]): ParamPair[Map[String, String]] = w(value.asScala.toMap)

  override def jsonEncode(value: Map[String, String]): String = new ObjectMapper().writeValueAsString(value.asJava)

  override def jsonDecode(json: String): Map[String, String] =
    new ObjectMapper().readValue(json, classOf[java.util.LinkedHashMap[String, String]]).asScala.toMap
}
