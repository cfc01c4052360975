package org.mxinfer.spark

import java.util.ArrayDeque
import org.mxinfer.{Model, Options, Predictor}
import scala.collection.mutable

/** Makes predictors of a model. */
private[spark] trait Opener extends Serializable {
  def open(model: Model, options: Options): Predictor
}

/** The models of this JVM. Tasks that run at the same time, and those of later jobs, use the same one for a place.
  *
  * A model is loaded by the first task that has a row for it. It is held while a task uses it; of those that none uses, the
  * last two are kept for jobs to come. What a place leads to is not looked at again: another version of a model has another
  * uri, or another sha256.
  */
private[spark] object Models {
  private val MaxIdle = 2

  /** The last ones that were used are the last. */
  private val known = new mutable.LinkedHashMap[(ModelPlace, Opener), SharedModel]

  /** Gives the model of a place to a task, which gives it back by `release`. Nothing is read yet. */
  def acquire(place: ModelPlace, opener: Opener): SharedModel = synchronized {
    val model = known.remove((place, opener)).getOrElse(new SharedModel(place, opener))
    known.put((place, opener), model)
    model.users += 1
    model
  }

  def release(model: SharedModel): Unit = synchronized {
    model.users -= 1
    val idle = known.filter { case (_, each) => each.users == 0 }
    idle.take(idle.size - MaxIdle).foreach { case (key, each) =>
      known.remove(key)
      each.close()
    }
  }
}

/** A model with its predictors. With one thread a call, one predictor serves all tasks. With others, it would let in no more
  * calls than its threads (docs/how-to/threads.md), so that each task that runs has one of its own. They share the weights.
  */
private[spark] final class SharedModel(place: ModelPlace, opener: Opener) {

  /** Of Models, under its lock. */
  var users = 0
  private var model: Option[Model] = None
  private val free = new ArrayDeque[Predictor]

  /** A predictor that calls with so many threads. `loaded` hears how many nanoseconds the model took, if it was not here. */
  def take(threads: Int, loaded: Long => Unit): Predictor = synchronized {
    if (model.isEmpty) {
      val begin = System.nanoTime
      model = Some(place.load())
      loaded(System.nanoTime - begin)
    }
    val predictor =
      if (free.isEmpty) place.located(opener.open(model.get, place.nativeOptions(threads))) else free.pop()
    if (threads == 1) free.push(predictor)
    predictor
  }

  /** Takes one back. */
  def give(predictor: Predictor, threads: Int): Unit = synchronized { if (threads != 1) free.push(predictor) }

  def close(): Unit = synchronized {
    while (!free.isEmpty) free.pop().close()
    model.foreach(_.close())
    model = None
  }
}
